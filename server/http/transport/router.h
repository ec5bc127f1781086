// Router: which handler answers a path. A pattern is a path whose segments are literal, or end in {}: "{}" stands for
// any one segment, "sqtt-{}" for any that begins so.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "http/transport/message.h"

namespace vizd {

class Router {
 public:
  // arguments: the segments that {} stood for, in order.
  using Handler = std::function<Response(const Request&, std::span<const std::string_view> arguments)>;

  void add(std::string_view pattern, Handler handler);
  // The answer of the first pattern that fits, or 404.
  Response route(const Request& request) const;

 private:
  struct Route {
    std::vector<std::string> segments;
    Handler handler;
  };
  std::vector<Route> routes_;
};

// A segment as a number below limit. Errors: it is none, or there is no such WHAT.
Result<std::uint32_t> parse_index(std::string_view segment, std::size_t limit, std::string_view what);

// The same for a parameter of the query; fallback where it is not given.
Result<std::uint32_t> parse_parameter(const Request& request, std::string_view name, std::size_t limit,
                                      std::string_view what, std::uint32_t fallback);

}  // namespace vizd
