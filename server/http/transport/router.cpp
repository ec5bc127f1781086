#include "http/transport/router.h"

#include <fmt/core.h>

#include <charconv>

namespace vizd {
namespace {

constexpr std::string_view kAny = "{}";

std::vector<std::string_view> split_path(std::string_view path) {
  std::vector<std::string_view> segments;
  while (!path.empty()) {
    path.remove_prefix(1);  // the slash
    const auto slash = path.find('/');
    segments.push_back(path.substr(0, slash));
    path = slash == std::string_view::npos ? std::string_view{} : path.substr(slash);
  }
  return segments;
}

}  // namespace

void Router::add(std::string_view pattern, Handler handler) {
  const auto segments = split_path(pattern);
  routes_.push_back({{segments.begin(), segments.end()}, std::move(handler)});
}

Response Router::route(const Request& request) const {
  const auto segments = split_path(request.path.starts_with('/') ? std::string_view(request.path) : "/");
  for (const Route& route : routes_) {
    if (route.segments.size() != segments.size()) continue;
    std::vector<std::string_view> arguments;
    bool fits = true;
    for (std::size_t i = 0; fits && i < segments.size(); ++i) {
      const std::string_view pattern = route.segments[i];
      if (pattern.ends_with(kAny)) {
        const std::string_view beginning = pattern.substr(0, pattern.size() - kAny.size());
        fits = segments[i].starts_with(beginning);
        if (fits) arguments.push_back(segments[i].substr(beginning.size()));
      } else {
        fits = pattern == segments[i];
      }
    }
    if (fits) return route.handler(request, arguments);
  }
  return error_response({ErrorKind::kNotFound, "no such address; API.md lists the answers", request.path});
}

Result<std::uint32_t> parse_index(std::string_view segment, std::size_t limit, std::string_view what) {
  std::uint32_t number = 0;
  const auto [end, failed] = std::from_chars(segment.data(), segment.data() + segment.size(), number);
  if (failed != std::errc() || end != segment.data() + segment.size() || segment.empty())
    return Error{ErrorKind::kBadInput, fmt::format("the {} must be a number", what),
                 std::string(segment.substr(0, 40))};
  if (number >= limit)
    return Error{ErrorKind::kNotFound, fmt::format("no {} {}; there are {}", what, number, limit), ""};
  return number;
}

Result<std::uint32_t> parse_parameter(const Request& request, std::string_view name, std::size_t limit,
                                      std::string_view what, std::uint32_t fallback) {
  const auto value = request.parameter(name);
  return value ? parse_index(*value, limit, what) : fallback;
}

}  // namespace vizd
