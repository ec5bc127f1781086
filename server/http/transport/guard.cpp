#include "http/transport/guard.h"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>

#include "base/ascii_case.h"

namespace vizd {
namespace {

constexpr int kCookieLifeSeconds = 30 * 24 * 3600;

struct HostPort {
  std::string host;  // in lower case
  std::string_view port;
};

// "localhost:8000", "[::1]:8000", "127.0.0.1"; none where it is not of this form.
std::optional<HostPort> split_host(std::string_view text) {
  const auto bracket = text.starts_with('[') ? text.find(']') : 0;
  if (bracket == std::string_view::npos) return std::nullopt;
  const auto colon = text.find(':', bracket);
  if (colon == std::string_view::npos) return HostPort{ascii_lower(text), ""};
  const std::string_view port = text.substr(colon + 1);
  const bool is_number = !port.empty() && port.size() <= 5 &&
                         std::all_of(port.begin(), port.end(), [](char c) { return c >= '0' && c <= '9'; });
  if (!is_number) return std::nullopt;
  return HostPort{ascii_lower(text.substr(0, colon)), port};
}

// Takes as long for a wrong token as for the right one.
bool equal_in_constant_time(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  unsigned difference = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    difference |= static_cast<unsigned char>(a[i]) ^ static_cast<unsigned char>(b[i]);
  return difference == 0;
}

// Whether any cookie of the name has the value. Others of that name may stand before vizd's: a server on another port
// of this host can set one for a longer path.
bool has_cookie(const Request& request, std::string_view name, std::string_view value) {
  bool found = false;
  for (const Header& header : request.headers) {
    if (ascii_lower(header.name) != "cookie") continue;
    std::string_view rest = header.value;
    while (!rest.empty()) {
      const auto semicolon = rest.find(';');
      std::string_view item = rest.substr(0, semicolon);
      rest = semicolon == std::string_view::npos ? std::string_view{} : rest.substr(semicolon + 1);
      while (item.starts_with(' ')) item.remove_prefix(1);
      if (item.size() > name.size() && item.starts_with(name) && item[name.size()] == '=')
        found |= equal_in_constant_time(item.substr(name.size() + 1), value);
    }
  }
  return found;
}

constexpr std::string_view kBearer = "Bearer ";

bool has_token(const Request& request, std::string_view token) {
  const std::string_view authorization = request.header("Authorization");
  if (authorization.starts_with(kBearer)) return equal_in_constant_time(authorization.substr(kBearer.size()), token);
  return has_cookie(request, token_cookie_name(request), token);
}

bool carries_body(const Request& request) {
  return request.header_count("Transfer-Encoding") > 0 || request.header_count("Content-Length") > 1 ||
         (request.header_count("Content-Length") == 1 && request.header("Content-Length") != "0");
}

// Another site may link to the page, which alone shows nothing; it may not load anything of it, and embed it only where
// a notebook shows it: security_headers() then say which sites may.
bool is_link_to_page(const Request& request, const GuardPolicy& policy) {
  const std::string_view to = request.header("Sec-Fetch-Dest");
  return request.path == "/" && request.header("Sec-Fetch-Mode") == "navigate" &&
         (to == "document" || (policy.in_notebook && to == "iframe"));
}

// The path that the server of a notebook has put vizd under, as it says; "/" where it says none that a cookie can have.
std::string proxied_path(const Request& request) {
  const std::string path(request.header("X-ProxyContextPath"));
  const bool is_plain =
      path.starts_with('/') && std::all_of(path.begin(), path.end(), [](unsigned char c) {
        return std::isalnum(c) || std::string_view("/-_.~%@+").find(static_cast<char>(c)) != std::string_view::npos;
      });
  return is_plain ? path : "/";
}

Response refusal(const Request& request, int status, std::string_view kind, std::string message) {
  if (request.path.starts_with("/api/"))
    return error_response(status, kind, Error{ErrorKind::kForbidden, std::move(message), request.path});
  return Response::text(status, "vizd: " + message + "\n");
}

std::optional<Response> refuse_host(const Request& request, const GuardPolicy& policy) {
  if (request.header_count("Host") != 1)
    return refusal(request, 400, "bad_request", "a request must name exactly one Host");
  const std::string_view given = request.header("Host");
  const auto host = split_host(given);
  if (host && policy.in_notebook) return std::nullopt;
  const auto& allowed = policy.allowed_hosts;
  if (host && std::find(allowed.begin(), allowed.end(), host->host) != allowed.end()) return std::nullopt;
  const std::string name = host ? host->host : std::string(given.substr(0, 100));
  return refusal(
      request, 421, "misdirected",
      fmt::format("this server answers as {}, not as '{}'. If that name is right, start vizd with --allow-host {}",
                  fmt::join(allowed, ", "), name, name));
}

std::optional<Response> refuse_foreign_site(const Request& request, const GuardPolicy& policy) {
  const std::string host = ascii_lower(request.header("Host"));
  const auto is_own = [&](const std::string& origin) {
    return origin == "http://" + host || (policy.in_notebook && origin == "https://" + host);
  };
  for (const Header& header : request.headers) {
    if (ascii_lower(header.name) == "origin" && !is_own(ascii_lower(header.value)))
      return refusal(request, 403, "forbidden", "a page of another site sent this request; open vizd's own page");
  }
  for (const Header& header : request.headers) {
    if (ascii_lower(header.name) != "sec-fetch-site" || header.value == "same-origin" || header.value == "none")
      continue;
    if (!is_link_to_page(request, policy))
      return refusal(request, 403, "forbidden", "another site sent this request; open vizd's own page");
  }
  return std::nullopt;
}

// So many bytes may the request send; 0: it may send none.
std::uint64_t most_sent_bytes(const Request& request, const GuardPolicy& policy) {
  if (request.method != "POST") return 0;
  if (request.path == kUploadPath) return policy.most_upload_bytes;
  return policy.is_shared && (request.path == kMarksPath || request.path == kWherePath) ? kMostSharedBytes : 0;
}

// The length that a body is said to have; none where that is no number, or not said once.
std::optional<std::uint64_t> body_bytes(const Request& request) {
  const std::string_view text = request.header("Content-Length");
  std::uint64_t bytes = 0;
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), bytes);
  const bool is_number = failed == std::errc() && end == text.data() + text.size() && !text.empty();
  if (!is_number || request.header_count("Content-Length") != 1) return std::nullopt;
  return bytes;
}

// Refuses a POST that breaks the further rules for POSTs. A browser says where each comes from, and sends bytes of this
// type to another site only after asking it, which vizd refuses.
std::optional<Response> refuse_sent(const Request& request, std::uint64_t most_bytes) {
  const bool is_from_own_page = request.header_count("Origin") == 1;  // and then it is the own one
  const bool is_script = request.header_count("Origin") == 0 && request.header("Authorization").starts_with(kBearer);
  if (!is_from_own_page && !is_script)
    return refusal(request, 403, "forbidden",
                   "uploads are accepted only from vizd's own page, or with 'Authorization: Bearer'");
  if (request.header_count("Content-Type") != 1 || request.header("Content-Type") != "application/octet-stream")
    return refusal(request, 415, "unsupported", "send it as application/octet-stream");
  if (request.header_count("Transfer-Encoding") > 0)
    return refusal(request, 411, "length_required", "the request needs a Content-Length");
  const auto bytes = body_bytes(request);
  if (!bytes) return refusal(request, 411, "length_required", "the request needs exactly one Content-Length");
  if (*bytes > most_bytes && request.path != kUploadPath)
    return refusal(request, 413, "too_large", fmt::format("at most {} KB are accepted", most_bytes >> 10));
  if (*bytes > most_bytes)
    return refusal(
        request, 413, "too_large",
        fmt::format("at most {} MB are accepted; copy the file to the machine and open it by name", most_bytes >> 20));
  return std::nullopt;
}

}  // namespace

std::optional<Response> refuse(const Request& request, const GuardPolicy& policy, Secrecy secrecy) {
  const std::uint64_t most_bytes = most_sent_bytes(request, policy);
  if (request.method != "GET" && request.method != "HEAD" && most_bytes == 0) {
    Response response =
        refusal(request, 405, "method_not_allowed", "vizd only shows captures: it answers GET and HEAD");
    response.headers.push_back({"Allow", "GET, HEAD"});
    return response;
  }
  if (auto response = refuse_host(request, policy)) return response;
  if (auto response = refuse_foreign_site(request, policy)) return response;
  if (most_bytes > 0) {
    if (auto response = refuse_sent(request, most_bytes)) return response;
  } else if (carries_body(request)) {
    return refusal(request, 400, "bad_request", "a request to vizd must have no body");
  }
  if (request.header_count("Range") > 0)
    return refusal(request, 416, "range", "vizd does not send ranges; leave Range out");
  if (secrecy == Secrecy::kNeedsToken && !policy.token.empty() && !has_token(request, policy.token)) {
    Response response = refusal(request, 401, "unauthorized",
                                "this needs vizd's token: open the URL that vizd printed when it started, or send "
                                "'Authorization: Bearer TOKEN'");
    response.headers.push_back({"WWW-Authenticate", "Bearer"});
    return response;
  }
  return std::nullopt;
}

bool shows_token(const Request& request, const GuardPolicy& policy) {
  return policy.token.empty() || has_token(request, policy.token);
}

std::optional<std::string> token_cookie(const Request& request, const GuardPolicy& policy) {
  if (policy.token.empty() || !request.header("Authorization").starts_with(kBearer)) return std::nullopt;
  return fmt::format("{}={}; HttpOnly; SameSite=Strict; Path={}; Max-Age={}", token_cookie_name(request), policy.token,
                     policy.in_notebook ? proxied_path(request) : "/", kCookieLifeSeconds);
}

std::string token_cookie_name(const Request& request) {
  const auto host = split_host(request.header("Host"));
  return fmt::format("vizd_{}", host && !host->port.empty() ? host->port : "80");
}

std::span<const Header> security_headers(bool in_notebook) {
  const auto framed_by = [](std::string_view who) {
    return std::array<Header, 6>{{
        {"Content-Security-Policy",
         fmt::format("default-src 'self'; script-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; "
                     "form-action 'none'; frame-ancestors {}",
                     who)},
        {"X-Content-Type-Options", "nosniff"},
        {"Referrer-Policy", "no-referrer"},
        {"Cross-Origin-Resource-Policy", "same-origin"},
        {"Cross-Origin-Opener-Policy", "same-origin"},
        {"Vary", "Accept-Encoding"},
    }};
  };
  static const auto alone = framed_by("'none'");
  static const auto in_frames = framed_by("'self' http://localhost:* http://127.0.0.1:*");
  return in_notebook ? in_frames : alone;
}

}  // namespace vizd
