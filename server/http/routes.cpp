#include "http/routes.h"

namespace vizd {

Router make_routes(const Services& services) {
  Router router;
  add_session_routes(router, services);
  add_context_routes(router, services);
  add_rewrite_routes(router, services);
  add_match_routes(router, services);
  add_search_routes(router, services);
  add_rule_routes(router, services);
  add_node_routes(router, services);
  add_diff_routes(router, services);
  add_focus_routes(router, services);
  add_profile_routes(router, services);
  add_tile_routes(router, services);
  add_event_routes(router, services);
  add_memory_routes(router, services);
  add_reference_routes(router, services);
  add_program_routes(router, services);
  return router;
}

Result<std::shared_ptr<const LoadedCapture>> capture_of(const Request& request, const Services& services) {
  constexpr std::chrono::seconds kPatience{60};
  return services.session.capture(request.parameter("capture").value_or(""), kPatience);
}

Result<PassPlace> find_pass(const std::shared_ptr<const LoadedCapture>& loaded,
                            std::span<const std::string_view> arguments) {
  const Rewrites& rewrites = loaded->capture.rewrites;
  const auto context = parse_index(arguments[0], rewrites.contexts.size(), "context");
  if (!context) return context.error();
  const Context& found = rewrites.contexts[*context];
  const auto pass = parse_index(arguments[1], found.pass_count, "pass");
  if (!pass) return pass.error();
  return PassPlace{loaded, found.first_pass + *pass};
}

Result<PassPlace> find_pass(const Request& request, std::span<const std::string_view> arguments,
                            const Services& services) {
  const auto loaded = capture_of(request, services);
  if (!loaded) return loaded.error();
  return find_pass(*loaded, arguments);
}

Result<PassCache::Value> replayed(const PassPlace& place, const Services& services) {
  constexpr std::chrono::seconds kPatience{60};
  const PassCache::Ticket ticket = services.passes.get(place.loaded, place.index);
  ticket.wait_for(kPatience);
  return ticket.result();
}

Result<PassCache::Value> find_replayed(const Request& request, std::span<const std::string_view> arguments,
                                       const Services& services) {
  const auto place = find_pass(request, arguments, services);
  return place ? replayed(*place, services) : place.error();
}

}  // namespace vizd
