// GET /api/v1/compare/places: two servers' runs place by place: what stands at one place of their steps side by side.
#include <fmt/format.h>

#include "analysis/answers/answer_json.h"
#include "analysis/answers/replay_answers.h"
#include "analysis/graph_replay/compared_places.h"
#include "http/routes/compared_pair.h"
#include "http/routes/kept_analyses.h"
#include "http/routes/replay_answer.h"

namespace vizd {
namespace {

// If there are more places, only those that changed most are listed.
constexpr std::size_t kMostPlaces = 20'000;

struct PlaceSide {
  const std::vector<GraphReplays>& ranks;
  EventLinks links;
  std::vector<ModuleKinds> kinds = {};  // by rank

  PlaceSide(const KeptReplays& kept) : ranks(kept.ranks()), links(kept.loaded->capture) {
    for (const GraphReplays& rank : ranks) kinds.emplace_back(rank);
  }

  void write_longest(JsonWriter& json, std::string_view key, const PlaceRow& row, std::uint32_t i) const {
    json.key(key);
    i == kNoId ? static_cast<void>(json.null()) : links.write(json, ranks[row.rank].item(i));
  }
  ModuleKind kind(const PlaceRow& row, std::uint32_t i) {
    return kinds[row.rank].of(ranks[row.rank].said_of(ranks[row.rank].work[i]), i);
  }
};

void write_place_side(JsonWriter& json, std::string_view key, const KeptReplays& kept,
                      const std::optional<double>& decode_ns) {
  std::size_t steps = 0;
  for (const GraphReplays& rank : kept.ranks()) steps += rank.steps.size();
  json.key(key).begin_object().key("name").text(kept.loaded->name).key("steps").number(steps).key("decode_ns");
  decode_ns ? json.real(*decode_ns) : json.null();
  json.end_object();
}

std::string places_json(const KeptReplays& a, const KeptReplays& b, const StepChoice& steps) {
  ComparedPlaces compared = compare_servers(*a.named, *b.named, steps);
  const std::size_t all = compared.rows.size();
  if (all > kMostPlaces) compared.rows.resize(kMostPlaces);
  PlaceSide before(a), after(b);
  std::string text;
  JsonWriter json(text);
  json.begin_object();
  write_place_side(json, "a", a, compared.a_decode_ns);
  write_place_side(json, "b", b, compared.b_decode_ns);
  json.key("all").number(all);
  json.column("rows", compared.rows, [&, fields = place_fields()](JsonWriter& j, const PlaceRow& row) {
    write_row(j, fields, {row}, [&](JsonWriter& more) {
      const ModuleKind kind = row.b_longest != kNoId ? after.kind(row, row.b_longest) : before.kind(row, row.a_longest);
      more.key("kind").text(module_kind_name(kind));
      before.write_longest(more, "a_longest", row, row.a_longest);
      after.write_longest(more, "b_longest", row, row.b_longest);
    });
  });
  json.end_object();
  return text;
}

Response compared_places_answer(const Request& request, const Services& services) {
  const auto pair = pair_of(request, services);
  if (!pair) return error_response(pair.error());
  const auto choice = parse_step_choice(request);
  if (!choice) return error_response(choice.error());
  const auto a = replays_of(pair->a, request, services);
  if (!a) return error_response(a.error());
  const auto b = replays_of(pair->b, request, services);
  if (!b) return error_response(b.error());
  return Response::json(places_json(**a, **b, *choice));
}

}  // namespace

void add_compared_place_routes(Router& router, const Services& services) {
  router.add("/api/v1/compare/places",
             [services](const Request& request, auto) { return compared_places_answer(request, services); });
}

}  // namespace vizd
