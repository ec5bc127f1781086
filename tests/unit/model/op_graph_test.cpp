// Graphs that are put back as they were written, also searched by many threads at once, as replays do that share a
// capture.
#include "model/op_graph.h"

#include <atomic>
#include <thread>
#include <vector>

#include "support/catch.h"

namespace vizd::op_graph_test {
namespace {

constexpr std::uint32_t kOps = 2000;

// Op i reads op i - 1, or none every hundredth; kinds repeat.
Op op_at(std::uint32_t i, const OpId& before) {
  return {.kind = static_cast<std::uint16_t>(i % 7),
          .dtype = kNoneValue,
          .arg = kNoneValue,
          .tag = kNoneValue,
          .src = {&before, i % 100 == 0 && i < 700 ? std::size_t{0} : std::size_t{1}}};
}

void restore_all(OpGraph& graph) {
  graph.begin_restore(kOps, kOps);
  for (std::uint32_t i = 0; i < kOps; ++i) {
    const OpId before = to_id<OpId>(i == 0 ? 0 : i - 1);
    graph.restore(op_at(i, before));
  }
}

TEST_CASE("threads that search a restored graph at once, through graphs of their own, find every op", "[op_graph]") {
  StringTable strings;
  const ValueTable values(strings);
  OpGraph graph(values);
  restore_all(graph);
  REQUIRE(graph.finish_restore());
  std::atomic<std::uint32_t> found = 0;
  {
    std::vector<std::jthread> threads;
    for (int t = 0; t < 4; ++t) {
      threads.emplace_back([&] {
        OpGraph own(&graph);
        for (std::uint32_t i = 0; i < kOps; ++i) {
          const OpId before = to_id<OpId>(i == 0 ? 0 : i - 1);
          const Op op = op_at(i, before);
          found += own.add(op.kind, op.dtype, op.src, op.arg, op.tag) == to_id<OpId>(i) ? 1 : 0;
        }
      });
    }
  }
  CHECK(found == 4 * kOps);
}

TEST_CASE("a graph forgets what was restored, and then takes ops like any other", "[op_graph]") {
  StringTable strings;
  const ValueTable values(strings);
  OpGraph graph(values);
  restore_all(graph);
  graph.drop_restored();
  CHECK(graph.size() == 0);
  CHECK(graph.find(0, kNoneValue, {}, kNoneValue, kNoneValue) == OpId{kNoId});
  CHECK(graph.add(3, kNoneValue, {}, kNoneValue, kNoneValue) == OpId{0});
  CHECK(graph.add(3, kNoneValue, {}, kNoneValue, kNoneValue) == OpId{0});
}

TEST_CASE("a graph that was written with an op twice is told from one that may be restored", "[op_graph]") {
  StringTable strings;
  const ValueTable values(strings);
  OpGraph graph(values);
  restore_all(graph);
  graph.restore(op_at(7, OpId{6}));
  CHECK_FALSE(graph.finish_restore());
}

}  // namespace
}  // namespace vizd::op_graph_test
