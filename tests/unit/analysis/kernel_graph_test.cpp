#include "analysis/devices/kernel_graph.h"

#include "support/catch.h"

namespace vizd::kernel_graph_test {
namespace {

// Launches 10, 20, 30 on one device; buffers 0 and 1.
Track& make_track(Capture& capture) {
  Track& track = capture.profile.tracks.emplace_back();
  track.name = capture.strings.add("GPU");
  track.allocations = {{.key = 7, .count = 4, .item_size_bytes = 4}, {.key = 8, .count = 2, .item_size_bytes = 4}};
  const StringId kernel = capture.strings.add("\x1b[34mE_4\x1b[0m");
  track.launches = {{10, kernel, 100}, {20, kernel, 200}, {30, capture.strings.add("r_4"), 300}};
  return track;
}

void add_event(Capture& capture, Track& track, std::string_view name, std::int64_t start_ns, std::int64_t dur_ns) {
  Event event{.start_ns = start_ns, .dur_ns = dur_ns};
  event.name = capture.strings.add(name);
  event.context = ContextId{kNoId};
  track.events.push_back(event);
}

TEST_CASE("kernel graph: an edge leads from the last writer to whoever reads then", "[kernels]") {
  Capture capture;
  Track& track = make_track(capture);
  track.launch_uses = {
      {.allocation = 0, .launch = 0, .argument = 0, .writes = true},
      {.allocation = 0, .launch = 1, .argument = 0, .reads = true, .writes = true},
      {.allocation = 0, .launch = 2, .argument = 1, .reads = true},
      {.allocation = 1, .launch = 2, .argument = 0, .writes = true},
      {.allocation = 1, .launch = 2, .argument = 0, .writes = true},  // a buffer that was given twice
  };
  const KernelGraph graph = kernel_graph(capture);
  REQUIRE(graph.runs.size() == 3);
  REQUIRE(graph.uses.size() == 4);
  REQUIRE(graph.edges.size() == 2);
  CHECK(graph.edges[0].from == 0);
  CHECK(graph.edges[0].to == 1);
  CHECK(graph.edges[1].from == 1);  // not the first writer
  CHECK(graph.edges[1].to == 2);
  CHECK(graph.uses[graph.edges[1].use].argument == 1);
  CHECK(graph.uses_of(2) == std::pair(2u, 4u));
}

TEST_CASE("kernel graph: events come to launches by number, else by name in their order", "[kernels]") {
  Capture capture;
  Track& track = make_track(capture);
  add_event(capture, track, "E_4", 1000, 5);
  add_event(capture, track, "r_4", 1010, 6);
  add_event(capture, track, "E_4", 1020, 7);
  add_event(capture, track, "E_4", 1030, 9);  // more often than launched
  const KernelGraph by_name = kernel_graph(capture);
  CHECK(by_name.runs[0].dur_ns == 5);
  CHECK(by_name.runs[1].dur_ns == 7);
  CHECK(by_name.runs[2].dur_ns == 6);
  CHECK(by_name.runs[2].event == 1);

  const StringId run = capture.strings.add(argument::kRun);
  find_or_add_argument(track.arguments, run, StringId{}, ArgumentType::kInteger).push_back(3, std::int64_t{20});
  const KernelGraph by_number = kernel_graph(capture);
  CHECK(by_number.runs[0].events == 0);
  CHECK(by_number.runs[1].dur_ns == 9);
}

TEST_CASE("kernel graph: runs beyond the limit are counted", "[kernels]") {
  Capture capture;
  make_track(capture).launch_uses = {{.allocation = 0, .launch = 2, .reads = true}};
  const KernelGraph graph = kernel_graph(capture, 2);
  CHECK(graph.runs.size() == 2);
  CHECK(graph.left_out == 1);
  CHECK(graph.uses.empty());
}

}  // namespace
}  // namespace vizd::kernel_graph_test
