// GET /api/v1/text/CONTEXT/STEP/STATE.
#include "http/routes.h"

namespace vizd {
namespace {

// A step that takes longer is asked for again; the making goes on only while someone asks.
constexpr std::chrono::seconds kPatience{60};

struct StatePlace {
  StepCache::Value step;
  std::uint32_t state = 0;
};

// The state that three arguments name, replayed.
Result<StatePlace> find_state(const Request& request, std::span<const std::string_view> arguments,
                              const Services& services) {
  const auto place = find_step(request, arguments.first(2), services);
  if (!place) return place.error();
  const auto state = parse_index(arguments[2], place->step().match_count + std::size_t{1}, "state");
  if (!state) return state.error();
  const StepCache::Ticket ticket = services.steps.get(place->loaded, place->index);
  ticket.wait_for(kPatience);
  auto step = ticket.result();
  if (!step) return step.error();
  return StatePlace{std::move(*step), *state};
}

Response text_answer(const Request& request, std::span<const std::string_view> arguments, const Services& services) {
  const auto place = find_state(request, arguments, services);
  if (!place) return error_response(place.error());
  const Capture& capture = place->step->capture->capture;
  const StateGraph graph = graph_at(capture, place->step->history, place->state);
  return Response::text(200, capture.dialect->analyse(*graph.graph)->print(graph.root));
}

}  // namespace

void add_match_routes(Router& router, const Services& services) {
  router.add("/api/v1/text/{}/{}/{}",
             [services](const Request& request, auto arguments) { return text_answer(request, arguments, services); });
}

}  // namespace vizd
