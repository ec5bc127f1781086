// The guard: which requests vizd answers at all. It stands before every handler and looks at nothing but the request,
// so that its rules are one function and one table of tests (tests/http/guard_test.cpp). They keep out web sites, which
// a browser lets send requests to this machine, and other users of the machine. Pure; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "http/transport/message.h"

namespace vizd {

struct GuardPolicy {
  // Names of this server as a browser may spell them, in lower case and without ports; IPv6 addresses in brackets.
  // Any port is right, since an SSH tunnel ends at a port of its own. No other check stops DNS rebinding.
  std::vector<std::string> allowed_hosts = {"localhost", "127.0.0.1", "[::1]"};
  // The secret that a client must know; empty lets everyone in.
  std::string token = {};
  // So much may be sent to kUploadPath by POST; 0: nothing.
  std::uint64_t most_upload_bytes = 0;
  // Whether marks and where somebody is may be sent, to kMarksPath and kWherePath by POST.
  bool is_shared = false;
  // A notebook shows the page: in a frame, and behind the notebook's own server, whose name and scheme nobody here
  // knows. Then the token alone keeps strangers out, so there must be one.
  bool in_notebook = false;
};

// The paths that take a POST: a capture to open; and where people and programs share what they found, a mark, and where
// somebody is.
inline constexpr std::string_view kUploadPath = "/api/v1/captures";
inline constexpr std::string_view kMarksPath = "/api/v1/marks";
inline constexpr std::string_view kWherePath = "/api/v1/where";
// So much may be sent to the last two.
inline constexpr std::uint64_t kMostSharedBytes = 16 << 10;

// Whether a request asks for the page's own code, which is no secret, or for the contents of captures.
enum class Secrecy { kPublic, kNeedsToken };

// The answer to a request that is refused, with its reason and what to do; none where the request may pass.
// Checks, in this order: method (405), exactly one Host (400) on the list (421), Origin and Sec-Fetch-Site (403),
// body (400), Range (416), token as Bearer or cookie (401). A POST must come from vizd's own page or bring the token as
// Bearer (403), as bytes that no form can send (415), with its length (411) within the limit (413).
std::optional<Response> refuse(const Request& request, const GuardPolicy& policy, Secrecy secrecy);

// Whether the request brings the token, where one is needed.
bool shows_token(const Request& request, const GuardPolicy& policy);

// The Set-Cookie value that trades a token sent as Bearer for a cookie, so that the page's later requests, and its tabs
// after a restart, need no more; none where the request brought no Bearer. For requests that refuse() lets pass. Behind
// a notebook's server it is of the path that vizd has there, beside which there are others.
std::optional<std::string> token_cookie(const Request& request, const GuardPolicy& policy);

// The name of that cookie: it tells apart the port that the browser sees, since a browser
// shares cookies among all ports of a host.
std::string token_cookie_name(const Request& request);

// Sent with every answer. in_notebook: pages of this machine, and of the server that vizd is behind, may frame the
// page.
std::span<const Header> security_headers(bool in_notebook = false);

}  // namespace vizd
