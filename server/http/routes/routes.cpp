#include "http/routes/routes.h"

namespace vizd {

Router make_routes(const Services& services) {
  Router router;
  add_session_routes(router, services);
  add_context_routes(router, services);
  add_rewrite_routes(router, services);
  add_match_routes(router, services);
  add_search_routes(router, services);
  add_rule_routes(router, services);
  add_operator_routes(router, services);
  add_compile_routes(router, services);
  add_replay_routes(router, services);
  add_trace_routes(router, services);
  add_kernel_routes(router, services);
  add_summary_routes(router, services);
  add_node_routes(router, services);
  add_diagnosis_routes(router, services);
  add_place_routes(router, services);
  add_shared_routes(router, services);
  add_recorded_routes(router, services);
  add_diff_routes(router, services);
  add_focus_routes(router, services);
  add_tile_routes(router, services);
  add_event_routes(router, services);
  add_stack_routes(router, services);
  add_device_routes(router, services);
  add_compare_routes(router, services);
  add_compared_kernel_routes(router, services);
  add_compared_place_routes(router, services);
  add_idle_routes(router, services);
  add_work_routes(router, services);
  add_memory_routes(router, services);
  add_allocator_routes(router, services);
  add_allocation_life_routes(router, services);
  add_event_memory_routes(router, services);
  add_compared_memory_routes(router, services);
  add_reference_routes(router, services);
  add_program_routes(router, services);
  add_value_routes(router, services);
  add_hardware_routes(router, services);
  add_counter_routes(router, services);
  add_sql_routes(router, services);
  add_fleet_routes(router, services);
  add_upload_routes(router, services);
  return router;
}

Result<std::shared_ptr<const LoadedCapture>> capture_named(std::string_view id, const Request& request,
                                                           const Services& services, std::chrono::seconds patience) {
  auto now = services.session.capture(id, std::chrono::seconds(0), request.left);
  if (now || now.error().kind != ErrorKind::kBusy) return now;
  const auto place = services.waiting->enter();
  return place ? services.session.capture(id, patience, request.left) : place.error();
}

Result<std::shared_ptr<const LoadedCapture>> capture_of(const Request& request, const Services& services) {
  return capture_named(request.parameter("capture").value_or(""), request, services);
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

Result<std::shared_ptr<const ReplayedPass>> replayed(const PassPlace& place, const Request& request,
                                                     const Services& services) {
  return wait_for(replay_pass(services.passes, place.loaded, place.index), request, services);
}

Result<std::shared_ptr<const ReplayedPass>> find_replayed(const Request& request,
                                                          std::span<const std::string_view> arguments,
                                                          const Services& services) {
  const auto place = find_pass(request, arguments, services);
  return place ? replayed(*place, request, services) : place.error();
}

Result<std::shared_ptr<const Body>> kept_answer(const Request& request,
                                                const std::shared_ptr<const LoadedCapture>& loaded,
                                                std::string_view name, MakeAnswer make, const Services& services) {
  const auto make_body = [make = std::move(make)](const ReportProgress&,
                                                  std::stop_token) -> Result<std::shared_ptr<const Body>> {
    auto text = make();
    if (!text) return std::move(text).error();
    return std::make_shared<const Body>(*std::move(text));
  };
  return wait_for(services.answers.get<Body>(loaded, name, make_body), request, services);
}

Response kept_json(const Request& request, const std::shared_ptr<const LoadedCapture>& loaded, std::string_view name,
                   MakeAnswer make, const Services& services) {
  auto body = kept_answer(request, loaded, name, std::move(make), services);
  return body ? Response::json(*std::move(body)) : error_response(body.error());
}

}  // namespace vizd
