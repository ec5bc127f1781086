// Parts of a state: cones, paths, hidden ops with their bridges, folds of alike copies, and limits.
#include "rewrite/state_view.h"

#include <algorithm>
#include <set>

#include "rewrite/history_index.h"
#include "rewrite/likeness.h"
#include "support/catch.h"
#include "unit/rewrite/random_pass.h"

namespace vizd::state_view_test {

namespace {

class NamedToy : public toy::Toy {
 public:
  using Toy::Toy;
  std::string_view kind_name(std::uint16_t kind) const override {
    static constexpr std::string_view kNames[] = {"SINK", "LEAF", "ADD", "MUL", "VIEW", "CONST", "ERROR"};
    return kNames[kind];
  }
  std::uint32_t body_sources(std::uint16_t kind) const override { return kind == toy::kMul ? 1 : 0; }
};

// Four copies that differ by a constant: sink(mul_i(leaf, add_i(view(leaf2), const i)) ...).
struct Copies {
  toy::Builder b;
  History history;
  OpId leaf, other, view, sink;
  std::vector<OpId> adds, muls;

  Copies() {
    b.capture.dialect = std::make_unique<NamedToy>(b.capture.values);
    leaf = b.op(toy::kLeaf, {}, 1);
    other = b.op(toy::kLeaf, {}, 2);
    view = b.op(toy::kView, {other});
    for (int copy = 0; copy < 4; ++copy) {
      adds.push_back(b.op(toy::kAdd, {view, b.op(toy::kConst, {}, copy)}));
      muls.push_back(b.op(toy::kMul, {leaf, adds.back()}));
    }
    sink = b.pass().sink = b.op(toy::kSink, muls);
    auto made = build_history(b.capture, b.pass(), {});
    REQUIRE(made);
    history = std::move(*made);
  }

  NodeId node(OpId op) const {
    const StateGraph at = graph_at(b.capture, history, 0);
    const auto found = std::ranges::find(at.op_of_node, op);
    return to_id<NodeId>(static_cast<std::size_t>(found - at.op_of_node.begin()));
  }
  StateView view_of(const ViewOptions& options) const {
    auto made = view_state(b.capture, history, 0, options);
    REQUIRE(made);
    return std::move(*made);
  }
  std::set<NodeId> boxes(const ViewOptions& options) const {
    const StateView made = view_of(options);
    return {made.boxes.begin(), made.boxes.end()};
  }
  std::set<NodeId> nodes(const std::vector<OpId>& ops) const {
    std::set<NodeId> result;
    for (const OpId op : ops) result.insert(node(op));
    return result;
  }
};

}  // namespace

TEST_CASE("a cone goes up, down or both ways, as far as its radius") {
  const Copies l;
  CHECK(l.boxes({}).size() == 12);
  const NodeId mul = l.node(l.muls[0]);
  CHECK(l.boxes({.nodes = {mul}, .cone = Cone::kUp}) == l.nodes({l.muls[0], l.adds[0], l.view, l.other, l.leaf}));
  CHECK(l.boxes({.nodes = {mul}, .cone = Cone::kDown}) == l.nodes({l.muls[0], l.sink}));
  CHECK(l.boxes({.nodes = {mul}, .radius = 1}) == l.nodes({l.muls[0], l.adds[0], l.leaf, l.sink}));
  CHECK(l.boxes({.nodes = {mul}, .radius = 0}) == l.nodes({l.muls[0]}));
  CHECK(l.view_of({.nodes = {mul}, .radius = 0}).edges.empty());
}

TEST_CASE("what lies between two nodes is on paths between them, whichever is named first") {
  const Copies l;
  const NodeId low = l.node(l.other), high = l.node(l.muls[2]);
  const auto expected = l.nodes({l.other, l.view, l.adds[2], l.muls[2]});
  CHECK(l.boxes({.nodes = {low}, .between = high}) == expected);
  CHECK(l.boxes({.nodes = {high}, .between = low}) == expected);
  CHECK(l.boxes({.nodes = {l.node(l.leaf)}, .between = low}).empty());
}

TEST_CASE("hidden ops are left out and bridged, unless they are what is looked at") {
  const Copies l;
  const StateView view = l.view_of({.hidden_ops = {"add", "NOSUCH"}});
  CHECK(view.hidden == 4);
  CHECK(view.boxes.size() == 8);
  std::size_t bridged = 0;
  for (const ViewEdge& edge : view.edges) {
    if (!edge.bridged) continue;
    ++bridged;
    CHECK(edge.source == l.node(l.view));
    CHECK(edge.edge == kNoId);
    CHECK(edge.port == 1);
  }
  CHECK(bridged == 4);
  CHECK(l.boxes({.nodes = {l.node(l.adds[1])}, .radius = 0, .hidden_ops = {"ADD"}}).size() == 1);

  const StateView no_index = l.view_of({.index_ops = {"MUL"}});
  CHECK(std::set(no_index.boxes.begin(), no_index.boxes.end()) ==
        l.nodes({l.leaf, l.muls[0], l.muls[1], l.muls[2], l.muls[3], l.sink}));
  CHECK(no_index.hidden == 6);
}

TEST_CASE(
    "what a node reads that is a line in its box is a box where that is asked for, and leads to that node alone") {
  const Copies l;
  const std::size_t whole = l.boxes({}).size();
  const NodeId add = l.node(l.adds[1]);
  const StateView view = l.view_of({.hidden_ops = {"CONST"}, .with_excluded = {add}});
  REQUIRE(view.excluded.size() == 1);
  const NodeId constant = view.excluded.front();
  CHECK(view.boxes.size() == whole + 1);
  CHECK(std::ranges::count(view.boxes, constant) == 1);
  CHECK(std::ranges::count(view.edges, constant, &ViewEdge::source) == 1);
  const auto edge = std::ranges::find(view.edges, constant, &ViewEdge::source);
  CHECK(edge->user == add);
  CHECK(l.view_of({}).excluded.empty());
}

TEST_CASE("what only the bodies of calls hold is left out, but for those of calls that are turned") {
  const Copies l;
  ViewOptions options{.hides_bodies = true};  // leaf is the body of every MUL
  const StateView closed = l.view_of(options);
  CHECK(closed.hidden == 1);
  CHECK_FALSE(l.boxes(options).contains(l.node(l.leaf)));
  CHECK(l.boxes(options).contains(l.node(l.view)));
  CHECK(std::ranges::none_of(closed.edges, [](const ViewEdge& e) { return e.bridged; }));
  options.turned = {l.node(l.muls[2])};
  const StateView one = l.view_of(options);
  CHECK(one.hidden == 0);
  const auto from_leaf = [&](const ViewEdge& e) { return e.source == l.node(l.leaf); };
  CHECK(std::ranges::count_if(one.edges, from_leaf) == 1);
  options.hides_bodies = false;  // now that one alone is without its body
  CHECK(std::ranges::count_if(l.view_of(options).edges, from_leaf) == 3);
}

TEST_CASE("copies that differ by a constant are one box, and can be unfolded") {
  const Copies l;
  const StateView folded = l.view_of({.fold = 2});
  REQUIRE(folded.folds.size() == 2);
  for (const Fold& fold : folded.folds) {
    CHECK(fold.nodes.size() == 4);
    CHECK(fold.shown == fold.nodes.front());
  }
  CHECK(folded.boxes.size() == 6);
  CHECK(folded.edges.size() == 5);
  // Leaves that are boxes are told apart though only their numbers differ.
  CHECK(std::ranges::count(folded.boxes, l.node(l.leaf)) == 1);
  CHECK(std::ranges::count(folded.boxes, l.node(l.other)) == 1);
  CHECK(l.view_of({.fold = 5}).folds.empty());
  CHECK(l.view_of({.fold = 2, .unfold = {l.node(l.muls[3])}}).boxes.size() == 9);
  CHECK(l.view_of({.nodes = {l.node(l.adds[0])}, .fold = 2}).boxes.size() == 5);
}

TEST_CASE("the nearest boxes are kept where a limit cuts") {
  const Copies l;
  const StateView view = l.view_of({.nodes = {l.node(l.muls[0])}, .cone = Cone::kUp, .limit = 3});
  CHECK(view.left_out == 2);
  CHECK(view.boxes.size() == 3);
  CHECK(view.boxes.front() == l.node(l.muls[0]));
  CHECK(std::ranges::count(view.boxes, l.node(l.other)) == 0);
}

TEST_CASE("nodes that are no boxes are refused") {
  const Copies l;
  const NodeId constant = [&] {
    for (std::size_t n = 0; n < l.history.nodes.size(); ++n) {
      if (version_at(l.history, to_id<NodeId>(n), 0).inlined) return to_id<NodeId>(n);
    }
    return NodeId{0};
  }();
  CHECK_FALSE(view_state(l.b.capture, l.history, 0, {.nodes = {constant}}));
  CHECK_FALSE(view_state(l.b.capture, l.history, 0, {.nodes = {NodeId{4000}}}));
  CHECK_FALSE(view_state(l.b.capture, l.history, 0, {.between = l.node(l.leaf)}));
}

TEST_CASE("of any state the whole view has every box and edge, and folding loses no node") {
  for (std::uint32_t seed = 0; seed < 200; ++seed) {
    INFO("seed " << seed);
    toy::Builder b;
    toy::fill_with_random_pass(b, seed);
    b.capture.dialect = std::make_unique<NamedToy>(b.capture.values);
    const auto history = build_history(b.capture, b.pass(), {});
    if (!history || !history->errors.empty()) continue;
    const std::uint32_t state = seed % history->state_count;
    const auto whole = view_state(b.capture, *history, state, {});
    REQUIRE(whole);
    CHECK(whole->boxes.size() == whole->of);
    const std::set<NodeId> boxes(whole->boxes.begin(), whole->boxes.end());
    for (const ViewEdge& edge : whole->edges) CHECK((boxes.contains(edge.source) && boxes.contains(edge.user)));
    const auto folded = view_state(b.capture, *history, state, {.fold = 2});
    REQUIRE(folded);
    std::size_t nodes = folded->boxes.size();
    for (const Fold& fold : folded->folds) nodes += fold.nodes.size() - 1;
    CHECK(nodes == whole->of);
    for (const ViewEdge& edge : folded->edges) CHECK(edge.source != edge.user);
  }
}

}  // namespace vizd::state_view_test
