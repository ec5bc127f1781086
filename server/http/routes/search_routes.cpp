// GET /api/v1/search/CONTEXT/PASS: the nodes of a pass that a query means, and when it becomes true and false.
#include <algorithm>

#include "base/json_writer.h"
#include "base/utf8.h"
#include "http/routes/routes.h"
#include "rewrite/query.h"

namespace vizd {
namespace {

constexpr std::uint32_t kMostIds = 100'000;

// A place in bytes as browsers count: in UTF-16 units.
std::size_t utf16_units(std::string_view text, std::size_t bytes) {
  std::size_t units = 0;
  for (std::size_t at = 0; at < std::min(bytes, text.size()); ++units) units += next_code_point(text, at) > 0xFFFF;
  return units;
}

void write_state(JsonWriter& json, std::uint32_t state) { state == kNoId ? json.null() : json.number(state); }

std::string not_understood(std::string_view query, const Error& error, std::size_t place) {
  std::string text;
  JsonWriter json(text);
  json.begin_object().key("query").text(query).key("state").number(0).key("total").number(0);
  json.key("ids").begin_array().end_array().key("first_state").null();
  json.key("error").begin_object().key("message").text(error.message);
  json.key("at").number(utf16_units(query, place)).end_object().end_object();
  return text;
}

struct Question {
  std::uint32_t state = 0;
  std::uint32_t from = kNoId;  // none: the first states are not asked for
  std::uint32_t limit = kMostIds;
};

Result<Question> read_question(const Request& request, std::uint32_t states) {
  const auto state = parse_parameter(request, "state", states, "state", 0);
  if (!state) return state.error();
  const auto from = parse_parameter(request, "from", states, "state", kNoId);
  if (!from) return from.error();
  const auto limit = parse_parameter(request, "limit", kNoId, "limit", kMostIds);
  if (!limit) return limit.error();
  return Question{*state, *from, std::min(*limit, kMostIds)};
}

std::string found(std::string_view query, QueryScan& scan, const Question& question) {
  const std::vector<NodeId> nodes = scan.matches_at(question.state);
  std::string text;
  JsonWriter json(text);
  json.begin_object().key("query").text(query).key("state").number(question.state);
  json.key("total").number(nodes.size());
  const auto sent = std::span(nodes).first(std::min<std::size_t>(nodes.size(), question.limit));
  json.column("ids", sent, [](JsonWriter& j, NodeId node) { j.number(index(node)); });
  json.key("first_state");
  if (question.from == kNoId) {
    json.null();
  } else {
    write_state(json.begin_object().key("some"), scan.first_state(question.from, true));
    write_state(json.key("none"), scan.first_state(question.from, false));
    json.end_object();
  }
  json.key("error").null().end_object();
  return text;
}

Response search_answer(const Request& request, std::span<const std::string_view> arguments, const Services& services) {
  const auto place = find_pass(request, arguments, services);
  if (!place) return error_response(place.error());
  const auto question = read_question(request, place->pass().match_count + 1);
  if (!question) return error_response(question.error());
  const std::string_view text = request.parameter("q").value_or("");
  std::size_t error_place = 0;
  auto query = Query::parse(text, &error_place);
  if (!query) return Response::json(not_understood(text, query.error(), error_place));
  const auto pass = replayed(*place, request, services);
  if (!pass) return error_response(pass.error());
  const ReplayedPass& s = **pass;
  const auto turn = services.heavy.begin(request);
  if (!turn) return error_response(turn.error());
  QueryScan scan(s.capture->capture, s.of(), s.history, s.index(), std::move(*query), turn->budget);
  std::string answer = found(text, scan, *question);
  return turn->budget.is_over() ? error_response(turn->budget.error()) : Response::json(std::move(answer));
}

}  // namespace

void add_search_routes(Router& router, const Services& services) {
  router.add("/api/v1/search/{}/{}", [services](const Request& request, auto arguments) {
    return search_answer(request, arguments, services);
  });
}

}  // namespace vizd
