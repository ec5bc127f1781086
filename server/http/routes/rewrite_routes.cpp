// GET /api/v1/rewrites/CONTEXT/PASS: the stream of one pass.
#include <chrono>

#include "base/json_writer.h"
#include "http/routes/pass_json.h"
#include "http/routes/routes.h"
#include "http/transport/event_stream.h"

namespace vizd {
namespace {

// A pass that is ready within this time is sent with its final places at once. One that takes longer shows its first
// graph alone meanwhile.
constexpr std::chrono::milliseconds kFirstGraphPatience{150};
constexpr std::chrono::milliseconds kLookInterval{100};
constexpr std::uint32_t kBatchStates = 4096;
// The pass's epochs are counted from 0 or, where a first graph alone was sent as 0 before, from 1.
constexpr std::uint32_t kFirstGraph = 0;

bool send_progress(EventStream& stream, const ProgressReport& report) {
  std::string text;
  JsonWriter json(text);
  json.begin_object().key("done").number(report.done).key("of").number(report.of);
  json.key("what").text(report.what).end_object();
  return stream.send("progress", text);
}

// Waits for what is being made and tells how far it is. Null where the client left first, or was told why there is
// none.
template <typename T>
std::shared_ptr<const T> wait_for(EventStream& stream, const Derived::Ticket<T>& ticket) {
  ProgressReport told;
  while (!ticket.wait_for(kLookInterval)) {
    if (!stream.is_open()) return nullptr;
    const ProgressReport report = ticket.progress();
    if (report.done == told.done && report.what == told.what) continue;
    if (!send_progress(stream, report)) return nullptr;
    told = report;
  }
  auto result = ticket.result();
  if (result) return *std::move(result);
  stream.send("error", error_json(result.error()));
  return nullptr;
}

// State 0 by itself: cheap, whatever the pass holds. Its nodes number as in the whole history.
bool send_first_graph(EventStream& stream, PassWriter& writer, const PassPlace& place, const std::stop_token& left) {
  Pass first = place.pass();
  first.match_count = 0;
  const auto history = build_history(place.loaded->capture, first, {});
  if (!history) return stream.send("error", error_json(history.error()));
  return stream.send("graph", writer.graph(*history, lay_out_states(*history, 0, 0, left), kFirstGraph));
}

bool send_matches(EventStream& stream, PassWriter& writer, const History& history) {
  for (std::uint32_t from = 1; from < history.state_count; from += kBatchStates) {
    const std::uint32_t to = std::min(from + kBatchStates, history.state_count) - 1;
    if (!stream.send("matches", writer.matches(history, from, to))) return false;
  }
  return true;
}

bool send_layouts(EventStream& stream, PassWriter& writer, const ReplayedPass& pass, std::uint32_t first_epoch) {
  std::uint32_t epoch = first_epoch;
  for (const EpochLayout& layout : pass.layouts) {
    if (!stream.send("layout", writer.layout(pass.history, layout, {LayoutKind::kEpoch, epoch++}))) return false;
  }
  return true;
}

bool send_done(EventStream& stream, const ReplayedPass& pass, double layout_ms) {
  std::string text;
  JsonWriter json(text);
  json.begin_object().key("replay_ms").real(pass.replay_ms).key("layout_ms").real(layout_ms);
  json.key("nodes").number(pass.history.nodes.size()).key("edges").number(pass.history.edges.size()).end_object();
  return stream.send("done", text);
}

void send_pass(EventStream& stream, const PassPlace& place, const std::stop_token& left, const Services& services) {
  const auto ticket = replay_pass(services.passes, place.loaded, place.index);
  PassWriter writer(place.loaded->capture, place.pass(), services.sources);
  const bool in_time = ticket.wait_for(kFirstGraphPatience);
  if (!in_time && !send_first_graph(stream, writer, place, left)) return;
  const auto replayed = wait_for(stream, ticket);
  if (!replayed) return;
  const ReplayedPass& pass = *replayed;
  const std::uint32_t first_epoch = in_time ? kFirstGraph : kFirstGraph + 1;
  if (in_time && !stream.send("graph", writer.graph(pass.history, pass.layouts.front(), first_epoch))) return;
  if (!send_matches(stream, writer, pass.history)) return;
  if (send_layouts(stream, writer, pass, first_epoch)) send_done(stream, pass, pass.layout_ms);
}

// "Compact this match's graph": the layout of one state alone, for a page that has the rest.
void send_state_layout(EventStream& stream, const PassPlace& place, std::uint32_t state, Direction direction,
                       const std::stop_token& left, const Services& services) {
  const auto ticket = replay_pass(services.passes, place.loaded, place.index);
  const auto replayed = wait_for(stream, ticket);
  if (!replayed) return;
  const ReplayedPass& pass = *replayed;
  const auto start = std::chrono::steady_clock::now();
  const EpochLayout layout = lay_out_states(pass.history, state, state, left, direction);
  const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - start;
  PassWriter writer(place.loaded->capture, place.pass(), services.sources);
  const bool is_sent =
      stream.send("layout", writer.layout(pass.history, layout, {LayoutKind::kState, state}, direction));
  if (is_sent) send_done(stream, pass, took.count());
}

// The pass laid out again, with time: what came out otherwise, for the page to offer.
void send_better_layouts(EventStream& stream, const PassPlace& place, const Services& services) {
  const auto ticket = replay_pass(services.passes, place.loaded, place.index);
  const auto replayed = wait_for(stream, ticket);
  if (!replayed) return;
  const ReplayedPass& pass = *replayed;
  const auto better = wait_for(stream, better_layouts(services.passes, replayed));
  if (!better) return;
  PassWriter writer(place.loaded->capture, place.pass(), services.sources);
  for (std::uint32_t epoch = 0; epoch < better->layouts.size(); ++epoch) {
    const EpochLayout& layout = better->layouts[epoch];
    if (layout.x_px == pass.layouts[epoch].x_px && layout.y_px == pass.layouts[epoch].y_px) continue;
    if (!stream.send("layout", writer.layout(pass.history, layout, {LayoutKind::kBetter, epoch}))) return;
  }
  send_done(stream, pass, better->layout_ms);
}

// The pass from top to bottom, for a page that has the rest.
void send_layouts_down(EventStream& stream, const PassPlace& place, const Services& services) {
  const auto ticket = replay_pass(services.passes, place.loaded, place.index);
  const auto replayed = wait_for(stream, ticket);
  if (!replayed) return;
  const auto down = wait_for(stream, layouts_down(services.passes, replayed));
  if (!down) return;
  PassWriter writer(place.loaded->capture, place.pass(), services.sources);
  std::uint32_t epoch = 0;
  for (const EpochLayout& layout : down->layouts) {
    if (!stream.send("layout",
                     writer.layout(replayed->history, layout, {LayoutKind::kDown, epoch++}, Direction::kDown)))
      return;
  }
  send_done(stream, *replayed, down->layout_ms);
}

Response pass_answer(const Request& request, std::span<const std::string_view> arguments, const Services& services) {
  const auto place = find_pass(request, arguments, services);
  if (!place) return error_response(place.error());
  if (request.asks_for("better")) {
    return Response::event_stream(
        [place = *place, services](EventStream& stream) { send_better_layouts(stream, place, services); });
  }
  const auto compact = request.parameter("compact_state");
  const Direction direction = request.asks_for("down") ? Direction::kDown : Direction::kRight;
  if (!compact && direction == Direction::kDown) {
    return Response::event_stream(
        [place = *place, services](EventStream& stream) { send_layouts_down(stream, place, services); });
  }
  if (!compact) {
    return Response::event_stream([place = *place, left = request.left, services](EventStream& stream) {
      send_pass(stream, place, left, services);
    });
  }
  const auto state = parse_index(*compact, place->pass().match_count + std::size_t{1}, "state");
  if (!state) return error_response(state.error());
  return Response::event_stream(
      [place = *place, state = *state, direction, left = request.left, services](EventStream& stream) {
        send_state_layout(stream, place, state, direction, left, services);
      });
}

}  // namespace

void add_rewrite_routes(Router& router, const Services& services) {
  router.add("/api/v1/rewrites/{}/{}",
             [services](const Request& request, auto arguments) { return pass_answer(request, arguments, services); });
}

}  // namespace vizd
