#include "reference/tinygrad/rewrite_stream.h"

#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "rewrite/history.h"
#include "support/catch.h"
#include "unit/rewrite/random_pass.h"
#include "unit/rewrite/toy_capture.h"

namespace vizd::rewrite_stream_test {
namespace {

using nlohmann::json;
using toy::Builder;
using toy::kAdd;
using toy::kConst;
using toy::kLeaf;
using toy::kSink;

std::optional<std::string> no_source(const Location&) { return std::nullopt; }

std::vector<json> events_of(const Builder& b, SourceLine source_line = no_source) {
  ReferenceStream stream(b.capture, b.capture.rewrites.passes[0], std::move(source_line));
  std::vector<json> events;
  for (std::string text; stream.next(text); text.clear()) events.push_back(json::parse(text));
  return events;
}

TEST_CASE("the reference's events hold whole graphs and the match that made each") {
  Builder b;
  const OpId a = b.op(kLeaf, {}, 1), c = b.op(kLeaf, {}, 2), one = b.op(kConst, {}, 1);
  const OpId sum = b.op(kAdd, {a, c});
  b.pass().sink = b.op(kSink, {sum});
  b.match(sum, b.op(kAdd, {one, a}));
  const std::vector<json> events = events_of(b, [&](const Location& rule) {
    return std::optional(std::string(b.capture.strings.get(rule.file)) + " " + std::to_string(rule.line));
  });
  REQUIRE(events.size() == 2);
  CHECK(events[0]["graph"].size() == 4);
  for (const char* key : {"changed_nodes", "diff", "upat"}) CHECK(events[0][key].is_null());
  CHECK(events[0]["uop"] == "LEAF 1 weight 1\nLEAF 2 weight 2\nADD 0 weight 3\nSINK 0 weight 3\n");
  REQUIRE(events[1]["graph"].size() == 3);
  CHECK(events[1]["upat"] == json::parse(R"([["rules.py", 7], "rules.py 7"])"));
  CHECK(events[1]["diff"].size() == 8);
  REQUIRE(events[1]["changed_nodes"].size() == 2);
  const json& made = events[1]["graph"][std::to_string(events[1]["changed_nodes"][1].get<std::uint64_t>())];
  CHECK(made["label"] == "ADD\n0\nCONST 1\nweight 2");
  CHECK(made["src"] == json::array({json::array({1, events[1]["changed_nodes"][0]})}));
  CHECK(made["color"] == "#ffffff");
  CHECK(made["ref"].is_null());
  CHECK(made["tag"].is_null());
}

TEST_CASE("a rule whose source cannot be read is missing, as the reference says it") {
  Builder b;
  const OpId a = b.op(kLeaf, {}, 1);
  b.pass().sink = b.op(kSink, {a});
  b.match(a, b.op(kLeaf, {}, 2));
  CHECK(events_of(b)[1]["upat"][1] == "<missing>");
}

// A graph whatever its ids: every box with its label and, in place of its sources, their boxes.
std::multiset<std::string> shape(const json& graph) {
  std::map<std::string, std::string> texts;
  std::multiset<std::string> result;
  for (std::size_t round = 0; result.size() < graph.size() && round <= graph.size(); ++round) {
    for (const auto& [id, node] : graph.items()) {
      if (texts.contains(id)) continue;
      std::string text = node["label"].get<std::string>() + "(";
      bool ready = true;
      for (const json& edge : node["src"]) {
        const auto source = texts.find(std::to_string(edge[1].get<std::uint64_t>()));
        ready = ready && source != texts.end();
        if (ready) text += edge[0].dump() + ":" + source->second;
      }
      if (ready) result.insert(texts[id] = std::to_string(std::hash<std::string>()(text)));
    }
  }
  return result;
}

TEST_CASE("the reference's stream shows the graphs that the history tells of") {
  for (std::uint32_t seed = 1000; seed < 1060; ++seed) {
    INFO("seed " << seed);
    Builder b;
    toy::fill_with_random_pass(b, seed);
    const auto history = build_history(b.capture, b.pass(), {});
    REQUIRE(history.has_value());
    const std::vector<json> events = events_of(b);
    REQUIRE(events.size() == history->state_count);
    for (std::uint32_t state = 0; state < history->state_count; ++state) {
      Builder alone;  // the state as a pass of its own
      const StateGraph at = graph_at(b.capture, *history, state);
      std::map<OpId, OpId> ids;
      for (const OpId id : toposort(*at.graph, at.root)) {
        const Op op = at.graph->op(id);
        std::vector<OpId> src;
        for (const OpId source : op.src) src.push_back(ids.at(source));
        const bool is_number = op.arg != kNoneValue && b.capture.values.kind(op.arg) == ValueKind::kInt;
        const ValueId arg = is_number ? alone.capture.values.integer(b.capture.values.as_int(op.arg)) : kNoneValue;
        ids[id] = alone.capture.ops.add(op.kind, kNoneValue, src, arg, kNoneValue);
      }
      alone.pass().sink = ids.at(at.root);
      REQUIRE(shape(events[state]["graph"]) == shape(events_of(alone)[0]["graph"]));
      REQUIRE(shape(events[state]["graph"]).size() == events[state]["graph"].size());
    }
  }
}

}  // namespace
}  // namespace vizd::rewrite_stream_test
