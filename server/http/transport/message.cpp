#include "http/transport/message.h"

#include <strings.h>

#include <algorithm>

#include "base/json_writer.h"

namespace vizd {
namespace {

constexpr int kBusyStatus = 503;
constexpr const char* kRetryAfterSeconds = "2";

bool same_name(std::string_view a, std::string_view b) {
  return a.size() == b.size() && ::strncasecmp(a.data(), b.data(), a.size()) == 0;
}

struct Kind {
  std::string_view name;
  int status;
};

Kind kind_of(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::kNotFound:
      return {"not_found", 404};
    case ErrorKind::kBadInput:
      return {"bad_input", 400};
    case ErrorKind::kTooLarge:
      return {"too_large", 413};
    case ErrorKind::kBusy:
      return {"busy", 503};
    case ErrorKind::kForbidden:
      return {"forbidden", 403};
    case ErrorKind::kInternal:
      break;
  }
  return {"internal", 500};
}

}  // namespace

std::size_t Request::header_count(std::string_view name) const {
  return static_cast<std::size_t>(
      std::count_if(headers.begin(), headers.end(), [&](const Header& h) { return same_name(h.name, name); }));
}

std::string_view Request::header(std::string_view name) const {
  for (const Header& h : headers) {
    if (same_name(h.name, name)) return h.value;
  }
  return {};
}

std::optional<std::string_view> Request::parameter(std::string_view name) const {
  for (const auto& [key, value] : query) {
    if (key == name) return value;
  }
  return std::nullopt;
}

bool Request::asks_for(std::string_view name) const { return parameter(name).value_or("0") != "0"; }

Response Response::json(std::string text) { return json(std::make_shared<const Body>(std::move(text))); }

Response Response::json(std::shared_ptr<const Body> body) {
  return {.content_type = "application/json", .body = std::move(body)};
}

Response Response::text(int status, std::string text) {
  return {.status = status,
          .content_type = "text/plain; charset=utf-8",
          .body = std::make_shared<const Body>(std::move(text))};
}

Response Response::event_stream(std::function<void(EventStream&)> events) {
  return {.content_type = "text/event-stream", .events = std::move(events)};
}

std::string error_json(std::string_view kind, const Error& error) {
  std::string out;
  JsonWriter json(out);
  json.begin_object().key("kind").text(kind).key("message").text(error.message);
  json.key("where").text(error.where).end_object();
  return out;
}

std::string error_json(const Error& error) { return error_json(kind_of(error.kind).name, error); }

Response error_response(int status, std::string_view kind, const Error& error) {
  Response response = Response::json("{\"error\":" + error_json(kind, error) + "}");
  response.status = status;
  if (status == kBusyStatus) response.headers.push_back({"Retry-After", kRetryAfterSeconds});
  return response;
}

Response error_response(const Error& error) {
  const Kind kind = kind_of(error.kind);
  return error_response(kind.status, kind.name, error);
}

}  // namespace vizd
