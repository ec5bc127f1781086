// GET /api/v1/text/CONTEXT/PASS/STATE and /api/v1/match/CONTEXT/PASS/STATE: the texts of the one state on screen.
#include <cmath>

#include "base/json_writer.h"
#include "http/routes/routes.h"
#include "rewrite/match_detail.h"

namespace vizd {
namespace {

struct StatePlace {
  std::shared_ptr<const ReplayedPass> pass;
  std::uint32_t state = 0;
};

// The state that three arguments name, replayed.
Result<StatePlace> find_state(const Request& request, std::span<const std::string_view> arguments,
                              const Services& services) {
  const auto place = find_pass(request, arguments.first(2), services);
  if (!place) return place.error();
  const auto state = parse_index(arguments[2], place->pass().match_count + std::size_t{1}, "state");
  if (!state) return state.error();
  auto pass = replayed(*place, request, services);
  if (!pass) return pass.error();
  return StatePlace{std::move(*pass), *state};
}

Response match_text_answer(const Request& request, std::span<const std::string_view> arguments,
                           const Services& services) {
  const auto place = find_state(request, arguments, services);
  if (!place) return error_response(place.error());
  const auto turn = services.heavy.begin(request);
  if (!turn) return error_response(turn.error());
  auto text = state_text(place->pass->capture->capture, place->pass->history, place->state);
  return text ? Response::text(200, *std::move(text)) : error_response(text.error());
}

void write_match(JsonWriter& json, const MatchDetail& detail, const Capture& capture, SourceLines& sources) {
  const Location& rule = capture.rewrites.locations[index(detail.match.rule)];
  const std::string_view file = capture.strings.get(rule.file);
  const auto code = sources.line(capture, rule);
  json.begin_object().key("rule").begin_object().key("file").text(file).key("line").number(rule.line);
  json.key("code").text_or_null(code).end_object().key("dur_ns");
  if (detail.match.dur_s < 0) {
    json.null();
  } else {
    json.number(std::llround(detail.match.dur_s * 1e9));
  }
  json.column("diff", detail.diff, [](JsonWriter& j, const std::string& line) { j.text(line); });
  json.key("before").text(detail.before).key("after").text(detail.after);
  json.column("changed", detail.changed, [](JsonWriter& j, NodeId node) { j.number(index(node)); });
  json.end_object();
}

Response match_answer(const Request& request, std::span<const std::string_view> arguments, const Services& services) {
  const auto place = find_state(request, arguments, services);
  if (!place) return error_response(place.error());
  const Capture& capture = place->pass->capture->capture;
  const Pass& pass = capture.rewrites.passes[place->pass->pass];
  const auto turn = services.heavy.begin(request);
  if (!turn) return error_response(turn.error());
  const auto detail = match_detail(capture, pass, place->pass->history, place->state, turn->budget);
  if (!detail) return error_response(detail.error());
  if (turn->budget.is_over()) return error_response(turn->budget.error());
  std::string text;
  JsonWriter json(text);
  write_match(json, *detail, capture, services.sources);
  return Response::json(std::move(text));
}

}  // namespace

void add_match_routes(Router& router, const Services& services) {
  router.add("/api/v1/text/{}/{}/{}", [services](const Request& request, auto arguments) {
    return match_text_answer(request, arguments, services);
  });
  router.add("/api/v1/match/{}/{}/{}",
             [services](const Request& request, auto arguments) { return match_answer(request, arguments, services); });
}

}  // namespace vizd
