// Request and Response as the rest of vizd sees them: plain values, no socket and no HTTP library, so that a handler is
// a plain function from one to the other. A handler runs on the thread of its connection, many at once.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "http/transport/body.h"

namespace vizd {

class EventStream;

struct Header {
  std::string name;
  std::string value;
};

struct Request {
  std::string method;           // "GET", "HEAD", …
  std::string path;             // percent-decoded, without the query
  std::vector<Header> headers;  // as sent, in no order; names may repeat
  std::vector<std::pair<std::string, std::string>> query;
  std::stop_token left = {};  // requested once the client has left, or the server ends: nobody waits for the answer

  // For a POST: reads up to so many bytes of the body; 0 or less when no more come. Waits for the client.
  std::function<std::ptrdiff_t(char* data, std::size_t size)> read_body = {};

  std::size_t header_count(std::string_view name) const;
  // The value of the first header of that name (of any case), or "".
  std::string_view header(std::string_view name) const;
  std::optional<std::string_view> parameter(std::string_view name) const;
  // Whether the parameter is there and not 0.
  bool asks_for(std::string_view name) const;
};

struct Response {
  int status = 200;
  std::string content_type;
  std::vector<Header> headers = {};
  std::shared_ptr<const Body> body = {};  // none: an empty answer
  // Set: the answer is server-sent events, which this writes until it returns. Runs after the headers were sent.
  std::function<void(EventStream&)> events = {};

  static Response json(std::string text);
  static Response json(std::shared_ptr<const Body> body);
  static Response text(int status, std::string text);
  static Response event_stream(std::function<void(EventStream&)> events);
};

// {"kind", "message", "where"}, as API.md has it.
std::string error_json(const Error& error);
std::string error_json(std::string_view kind, const Error& error);
// {"error": that}, with the status that goes with its kind.
Response error_response(const Error& error);
Response error_response(int status, std::string_view kind, const Error& error);

}  // namespace vizd
