// GET /api/v1/trace: a part of a capture as a trace file, for other programs.
#include <fmt/format.h>

#include "derived/trace_part.h"
#include "http/routes/device_answer.h"

namespace vizd {
namespace {

Response trace_answer(const Request& request, const Services& services) {
  const auto loaded = profile_of(request, services);
  if (!loaded) return error_response(loaded.error());
  const auto scope = parse_scope(request);
  if (!scope) return error_response(scope.error());
  const auto turn = services.heavy.begin(request);
  if (!turn) return error_response(turn.error());
  auto file = trace_part(**loaded, *scope, request.parameter("to_format").value_or("pftrace"), turn->budget);
  if (!file) return error_response(file.error());
  Response response = binary_response(std::move(file->bytes));
  response.headers.push_back({"Content-Disposition", fmt::format("attachment; filename=\"{}\"", file->name)});
  return response;
}

}  // namespace

void add_trace_routes(Router& router, const Services& services) {
  router.add("/api/v1/trace", [services](const Request& request, auto) { return trace_answer(request, services); });
}

}  // namespace vizd
