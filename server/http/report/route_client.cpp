#include "http/report/route_client.h"

#include <algorithm>
#include <chrono>
#include <thread>

#include "http/transport/event_stream.h"

namespace vizd {
namespace {

constexpr std::chrono::milliseconds kAskAgain{50};

// Made later: the server says how far it is, or that it has no time now.
bool comes_later(int status) { return status == 202 || status == 503; }

std::string events_of(const Response& response) {
  std::string text;
  const auto append = [&](std::string_view bytes) {
    text += bytes;
    return true;
  };
  EventStream stream({.write = append, .is_open = [] { return true; }}, Encoding::kIdentity);
  response.events(stream);
  return text;
}

}  // namespace

std::string Question::text() const {
  auto sorted = query;
  std::ranges::sort(sorted);
  std::string text = path;
  for (const auto& [name, value] : sorted) {
    text += text.size() == path.size() ? '?' : '&';
    text += name + "=" + value;
  }
  return text;
}

RouteClient::Answer RouteClient::ask(const Question& question) const {
  const Request request{.method = "GET", .path = question.path, .headers = {}, .query = question.query};
  for (;;) {
    const Response response = routes_.route(request);
    if (comes_later(response.status)) {
      std::this_thread::sleep_for(kAskAgain);
      continue;
    }
    if (response.events) return {response.status, response.content_type, events_of(response)};
    return {response.status, response.content_type, response.body ? std::string(response.body->bytes()) : ""};
  }
}

}  // namespace vizd
