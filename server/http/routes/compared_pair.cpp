#include "http/routes/compared_pair.h"

namespace vizd {
namespace {

Result<ScopedSide> scoped_side(const Loaded& loaded, const WorkScope& scope, const Request& request,
                               const Services& services) {
  auto work = device_analysis_of(loaded, scope, request, services);
  if (!work) return std::move(work).error();
  auto broken_down = device_analysis_of(loaded, scope.of_breakdowns(), request, services);
  if (!broken_down) return std::move(broken_down).error();
  return ScopedSide{loaded, *std::move(work), *std::move(broken_down),
                    scope.breakdown_options(loaded->capture.profile)};
}

}  // namespace

Result<ComparedPair> pair_of(const Request& request, const Services& services) {
  const auto b = profile_of(request, services);
  if (!b) return b.error();
  Request of_a = request;
  std::erase_if(of_a.query, [](const auto& parameter) { return parameter.first == "capture"; });
  of_a.query.emplace_back("capture", std::string(request.parameter("with").value_or("")));
  const auto a = profile_of(of_a, services);
  if (!a) return a.error();
  return ComparedPair{*a, *b};
}

Result<ComparedDevices> compared_devices_of(const Request& request, const Services& services) {
  const auto pair = pair_of(request, services);
  if (!pair) return pair.error();
  const auto join = kernel_join(request.parameter("by").value_or("name"));
  if (!join) return Error{ErrorKind::kBadInput, "kernels are joined by name, family, operator or occurrence", "by"};
  const auto scope = parse_scope(request);
  if (!scope) return scope.error();
  auto a = scoped_side(pair->a, *scope, request, services), b = scoped_side(pair->b, *scope, request, services);
  if (!a) return std::move(a).error();
  if (!b) return std::move(b).error();
  return ComparedDevices{*std::move(a), *std::move(b), *join};
}

}  // namespace vizd
