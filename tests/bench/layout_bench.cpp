// Times of a whole layout: build/release/tests/vizd_bench --benchmark_filter=layout, once scripts/bench has built it.
// To reach, on two cores: 10 ms at 949 nodes, 30 ms at 1,700, 100 ms at 10,000, 200 ms at 30,000.
#include <benchmark/benchmark.h>

#include "layout/layout_graph.h"
#include "support/layout_graphs.h"

namespace vizd {
namespace {

// What dagre with tinygrad's settings took for a real graph of that size.
const char* reference_time(std::int64_t nodes) {
  if (nodes == 949) return "dagre 26.6 s; to reach 10 ms";
  if (nodes == 1'700) return "dagre 105 s; to reach 30 ms";
  if (nodes == 10'000) return "dagre never; to reach 100 ms";
  return nodes == 30'000 ? "dagre never; to reach 200 ms" : "";
}

void layout_compiler_graph(benchmark::State& state) {
  const TestGraph graph = compiler_graph(static_cast<std::uint32_t>(state.range(0)));
  Layout layout;
  for (auto _ : state) {
    layout = layout_graph(graph.nodes, graph.edges, {});
    benchmark::DoNotOptimize(layout.width_px);
  }
  state.counters["edges"] = static_cast<double>(graph.edges.size());
  state.counters["cut_edges"] = layout.cut_edges;
  state.counters["ranks_optimal"] = layout.ranks_optimal ? 1 : 0;
  state.SetLabel(reference_time(state.range(0)));
}
BENCHMARK(layout_compiler_graph)
    ->Arg(949)
    ->Arg(1'700)
    ->Arg(10'000)
    ->Arg(30'000)
    ->Arg(100'000)
    ->Unit(benchmark::kMillisecond);

// As many ranks and orders as it takes: what the background offers later.
void layout_compiler_graph_in_background(benchmark::State& state) {
  const TestGraph graph = compiler_graph(static_cast<std::uint32_t>(state.range(0)));
  LayoutOptions options;
  options.rank_steps *= 100;
  options.order_steps *= 20;
  for (auto _ : state) benchmark::DoNotOptimize(layout_graph(graph.nodes, graph.edges, options).width_px);
}
BENCHMARK(layout_compiler_graph_in_background)->Arg(1'000)->Arg(10'000)->Arg(30'000)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace vizd
