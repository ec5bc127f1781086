// GET /api/v1/diff/CONTEXT/PASS: what differs between two states, of one pass or of two.
#include <fmt/core.h>

#include <array>

#include "base/json_writer.h"
#include "http/routes/routes.h"
#include "rewrite/match_detail.h"
#include "rewrite/state_diff.h"

namespace vizd {
namespace {

// A state, as it was asked for.
struct End {
  std::uint32_t context = 0;
  std::uint32_t pass = 0;
  std::uint32_t state = 0;
  std::shared_ptr<const ReplayedPass> replayed;
};

Result<End> find_end(const std::shared_ptr<const LoadedCapture>& loaded, std::span<const std::string_view> arguments,
                     const Request& request, std::string_view state_name, const Services& services) {
  const auto place = find_pass(loaded, arguments);
  if (!place) return place.error();
  if (!request.parameter(state_name))
    return Error{ErrorKind::kBadInput, fmt::format("?{}=STATE is missing", state_name), request.path};
  const auto state = parse_parameter(request, state_name, place->pass().match_count + std::size_t{1}, "state", 0);
  if (!state) return state.error();
  const auto pass = replayed(*place, request, services);
  if (!pass) return pass.error();
  const auto context = parse_index(arguments[0], kNoId, "context"), number = parse_index(arguments[1], kNoId, "pass");
  return End{*context, *number, *state, *pass};
}

// Its graph as it prints, or why there is none.
Result<PrintedGraph> lines_of(const End& end) {
  return state_lines(end.replayed->capture->capture, end.replayed->history, end.state);
}

void write_end(JsonWriter& json, std::string_view name, const End& end) {
  json.key(name).begin_object().key("context").number(end.context).key("pass").number(end.pass);
  json.key("state").number(end.state).end_object();
}

void write_pairs(JsonWriter& json, std::string_view name, const std::vector<std::pair<NodeId, NodeId>>& pairs) {
  json.key(name).begin_object();
  json.column("from", pairs, [](JsonWriter& j, const auto& pair) { j.number(index(pair.first)); });
  json.column("to", pairs, [](JsonWriter& j, const auto& pair) { j.number(index(pair.second)); });
  json.end_object();
}

std::string diff_json(const End& from, const End& to, const std::vector<std::string>& lines, const StateDiff& diff) {
  const auto write_id = [](JsonWriter& j, NodeId node) { j.number(index(node)); };
  std::string text;
  JsonWriter json(text);
  json.begin_object();
  write_end(json, "from", from);
  write_end(json, "to", to);
  json.column("diff", lines, [](JsonWriter& j, const std::string& line) { j.text(line); });
  json.column("only_from", diff.only_from, write_id).column("only_to", diff.only_to, write_id);
  write_pairs(json, "changed", diff.changed);
  write_pairs(json, "same", diff.same);
  json.end_object();
  return text;
}

Response diff_answer(const Request& request, std::span<const std::string_view> arguments, const Services& services) {
  const auto loaded = capture_of(request, services);
  if (!loaded) return error_response(loaded.error());
  const std::array<std::string_view, 2> to_arguments{request.parameter("to_context").value_or(arguments[0]),
                                                     request.parameter("to_pass").value_or(arguments[1])};
  const auto from = find_end(*loaded, arguments, request, "from", services);
  if (!from) return error_response(from.error());
  const auto to = find_end(*loaded, to_arguments, request, "to", services);
  if (!to) return error_response(to.error());
  const auto turn = services.heavy.begin(request);
  if (!turn) return error_response(turn.error());
  const auto before = lines_of(*from), after = lines_of(*to);
  if (!before || !after) return error_response(before ? after.error() : before.error());
  const bool is_one_pass = from->replayed->pass == to->replayed->pass;
  const StateDiff diff = is_one_pass ? diff_states(from->replayed->history, from->state, to->state)
                                     : diff_passes((*loaded)->capture, {from->replayed->history, from->state},
                                                   {to->replayed->history, to->state}, turn->budget);
  const auto lines = structural_diff(*before, *after, turn->budget);
  if (turn->budget.is_over()) return error_response(turn->budget.error());
  return Response::json(diff_json(*from, *to, lines, diff));
}

}  // namespace

void add_diff_routes(Router& router, const Services& services) {
  router.add("/api/v1/diff/{}/{}",
             [services](const Request& request, auto arguments) { return diff_answer(request, arguments, services); });
}

}  // namespace vizd
