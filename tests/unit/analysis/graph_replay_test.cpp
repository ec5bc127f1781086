// Which captures are taken for a replay's, of small traces made by hand: sizes, places, ids, and limits.
#include <algorithm>
#include <random>

#include "analysis/graph_replay/graph_replays.h"
#include "analysis/graph_replay/replay_rows.h"
#include "support/analysed_trace.h"

namespace vizd::graph_replay_test {
namespace {

CapturedRange made_capture(NamingSources& sources, std::string_view kernels, std::int64_t size, std::int64_t layer) {
  CapturedRange range{.file = fmt::format("bs_{}", size), .group = sources.group_count++};
  range.size = size, range.unit = SizeUnit::kRequests;
  for (const char name : kernels) {
    CapturedLaunch launch{.name = sources.strings.add(std::string(1, name))};
    launch.says.operators = {sources.strings.add("aten::mm")};
    launch.says.input_dims = sources.strings.add(fmt::format("[[{}]]", size));
    launch.says.layer_index = layer;
    range.launches.push_back(launch);
  }
  return range;
}

// A step of so many requests that replays a graph of these kernels.
std::string replayed(std::string_view kernels, int requests) {
  std::string events = record("user_annotation", fmt::format("step[DECODE bs={}]", requests), 1, 1, 0, 50, "") +
                       record("cuda_runtime", "hipGraphLaunch", 1, 1, 10, 20, R"("correlation":5)");
  int at = 100;
  for (const char name : kernels) events += kernel(std::string(1, name), 7, at += 10, 5, R"("correlation":5)");
  return events;
}

GraphReplays made_replays(const Analysed& trace, std::unique_ptr<NamingSources> sources) {
  return find_graph_replays(trace.capture, trace.analysis, rank_roots(trace.capture)[0], std::move(sources));
}

// Captures that wait until they are asked for, by size what each launches, and in what order they were.
struct Waiting {
  std::vector<std::pair<std::int64_t, std::string_view>> captures;
  std::vector<std::int64_t> read = {};

  std::unique_ptr<NamingSources> sources() {
    auto made = std::make_unique<NamingSources>();
    for (std::uint32_t c = 0; c < captures.size(); ++c) {
      made->unread.push_back(range_told(fmt::format("bs_{}", captures[c].first), "", made->strings));
      made->unread.back().file_place = c;
    }
    made->read_more = [this](NamingSources& into, const std::vector<std::size_t>& places) {
      for (auto place = places.rbegin(); place != places.rend(); ++place) {
        const auto at = into.unread.begin() + static_cast<std::ptrdiff_t>(*place);
        const auto& [size, kernels] = captures[at->file_place];
        read.push_back(size);
        into.ranges.push_back(made_capture(into, kernels, size, 0));
        into.unread.erase(at);
      }
    };
    return made;
  }
};

// The name of the file that the first replay was found to be of; "" where it is none.
std::string chosen(const GraphReplays& replays) {
  const auto& ranges = replays.replays[0].ranges;
  return ranges.empty() ? "" : replays.sources->ranges[ranges.front()].file;
}

}  // namespace

TEST_CASE("Of captures that fit equally well the smallest that is large enough is taken") {
  const Analysed trace(replayed("abc", 3));
  for (const auto& [sizes, taken] : std::vector<std::pair<std::vector<std::int64_t>, std::string>>{
           {{2, 4, 8}, "bs_4"}, {{8, 4}, "bs_4"}, {{3, 4}, "bs_3"}, {{1, 2}, "bs_1"}}) {
    auto sources = std::make_unique<NamingSources>();
    for (const std::int64_t size : sizes) sources->ranges.push_back(made_capture(*sources, "abc", size, 0));
    CHECK(chosen(made_replays(trace, std::move(sources))) == taken);
  }
}

TEST_CASE("All comparisons of a trace share one budget, and those beyond it are told") {
  // Replays and captures of the same kernels, each in an order of its own: none is near another.
  constexpr int kKernels = 1500, kGraphs = 4;
  std::mt19937 random(7);
  std::vector<std::string> names;
  for (int i = 0; i < kKernels; ++i) names.push_back(fmt::format("k{}", i));
  std::string events;
  int at = 1000;
  for (int graph = 0; graph < kGraphs; ++graph) {
    std::ranges::shuffle(names, random);
    const std::string correlation = fmt::format(R"("correlation":{})", 5 + graph);
    events += record("cuda_runtime", "hipGraphLaunch", 1, 1, at, 5, correlation);
    for (const std::string& name : names) events += kernel(name, 7, at += 10, 5, correlation);
    at += 100;
  }
  const Analysed trace(events);
  const auto replays_with = [&](int captures) {
    auto sources = std::make_unique<NamingSources>();
    for (int c = 0; c < captures; ++c) {
      std::ranges::shuffle(names, random);
      CapturedRange range{.file = fmt::format("bs_{}", c), .group = sources->group_count++};
      for (const std::string& name : names) range.launches.push_back({.name = sources->strings.add(name)});
      sources->ranges.push_back(std::move(range));
    }
    return made_replays(trace, std::move(sources));
  };
  const auto is_told = [](const GraphReplays& replays) {
    return std::ranges::any_of(unused_sources(replays), [](const std::string& line) {
      return line.find("comparisons of replays with captures") != line.npos;
    });
  };
  CHECK_FALSE(is_told(replays_with(1)));
  CHECK(is_told(replays_with(8)));
}

TEST_CASE("Captures that cannot be chosen are not read to the end, and the reason is told") {
  const Analysed trace(replayed("abc", 3));
  Waiting waiting{{{2, "abc"}, {4, "abc"}, {8, "abc"}}};
  const GraphReplays replays = made_replays(trace, waiting.sources());
  CHECK(waiting.read == std::vector<std::int64_t>{4});
  CHECK(chosen(replays) == "bs_4");
  CHECK(unused_sources(replays) ==
        std::vector<std::string>{"bs_2: no step had 2 requests or fewer", "bs_8: other captures fit better"});
}

TEST_CASE("Where the likeliest capture does not fit whole, others are read, and the best fit is taken") {
  const Analysed trace(replayed("abc", 3));
  Waiting waiting{{{2, "abd"}, {4, "abx"}, {8, "abc"}}};
  CHECK(chosen(made_replays(trace, waiting.sources())) == "bs_8");
  CHECK(waiting.read == std::vector<std::int64_t>{4, 8, 2});
  // Nothing tells a size that would do: all are.
  Waiting small{{{1, "abc"}, {2, "abc"}}};
  const GraphReplays replays = made_replays(trace, small.sources());
  CHECK(small.read.size() == 2);
  CHECK(replays.replays[0].candidates == 2);
}

TEST_CASE("The label in a trace's beginning tells a capture's size, else its file's name does") {
  CHECK(find_capture_label(R"({"name":"capture_x","cat":"a"},{"name": "capture_32_FULL","dur":1})") ==
        "capture_32_FULL");
  CHECK(find_capture_label(R"("capture_7_)").empty());
  StringTable strings;
  const CapturedRange labelled = range_told("bs_4_rank0.json", "capture_32_FULL", strings);
  CHECK(labelled.size == 32);
  CHECK((labelled.unit == SizeUnit::kTokens && strings.get(labelled.mode) == "FULL"));
  CHECK(range_told("bs_4_q_2_rank0.json", "", strings).size == 8);
  CHECK_FALSE(range_told("graph.json", "", strings).size);
}

TEST_CASE("From a capture for less names are right and shapes are left out") {
  const Analysed trace(replayed("abc", 3));
  for (const std::int64_t size : {2, 4}) {
    auto sources = std::make_unique<NamingSources>();
    sources->ranges.push_back(made_capture(*sources, "abc", size, 0));
    const GraphReplays replays = made_replays(trace, std::move(sources));
    const SaidOfWork& said = replays.said_of(replays.work[0]);
    CHECK(replays.text(said.operator_name) == "aten::mm");
    CHECK((said.input_dims == kNoText) == (size == 2));
  }
}

TEST_CASE("What captures that fit equally well say differently is left out") {
  const Analysed trace(replayed("abc", 3));
  auto sources = std::make_unique<NamingSources>();
  for (const std::int64_t layer : {1, 2}) sources->ranges.push_back(made_capture(*sources, "abc", 4, layer));
  const GraphReplays replays = made_replays(trace, std::move(sources));
  CHECK(replays.replays[0].candidates == 2);
  CHECK(replays.text(replays.said_of(replays.work[0]).operator_name) == "aten::mm");
  CHECK_FALSE(replays.said_of(replays.work[0]).layer_index);
}

TEST_CASE("limits: of captures that fit equally well a hundred are looked at") {
  const Analysed trace(replayed("abc", 3));
  auto sources = std::make_unique<NamingSources>();
  for (int i = 0; i < 150; ++i) sources->ranges.push_back(made_capture(*sources, "abc", 4, i < 100 ? 1 : 2));
  const GraphReplays replays = made_replays(trace, std::move(sources));
  CHECK(replays.replays[0].candidates == 150);
  CHECK(replays.replays[0].ranges.size() == 100);
  CHECK(replays.said_of(replays.work[0]).layer_index == 1);
}

TEST_CASE("limits: stream captures beyond 65,536 are not read, and it is said") {
  std::string events;
  for (int i = 0; i < 65'537; ++i) {
    events += record("cuda_runtime", "cudaStreamBeginCapture", 1, 1, 10 * i, 1, "");
    events += record("cuda_runtime", "cudaStreamEndCapture", 1, 1, 10 * i + 5, 1, "");
  }
  const Analysed trace(events);
  NamingSources sources;
  add_captured_ranges(trace.capture, kNoId, "many.json", sources);
  CHECK(sources.ranges.size() == 65'536);
  REQUIRE(sources.unused.size() == 1);
  CHECK(sources.unused[0].starts_with("many.json: "));
}

TEST_CASE("A node's id is whole or local, a number or a text, and 0 of no graph") {
  const auto node = [](const std::string& arguments) {
    const Analysed trace(kernel("k", 7, 0, 5, R"("correlation":1,)" + arguments));
    const GraphReplays replays = made_replays(trace, std::make_unique<NamingSources>());
    return replays.work[0].node_id;
  };
  constexpr std::uint64_t kWhole = (std::uint64_t{3} << 32) + 5;
  CHECK(node(R"("graph id":3,"graph node id":5)") == kWhole);
  CHECK(node(R"("graph id":3,"graph node id":12884901893)") == kWhole);
  CHECK(node(R"("graph id":"3","graph node id":"12884901893")") == kWhole);
  CHECK_FALSE(node(R"("graph id":0,"graph node id":0)"));
  CHECK_FALSE(node(R"("graph id":3)"));
}

TEST_CASE("An annotation names its node, in its own arguments before a file's") {
  const Analysed trace(
      kernel("a", 7, 0, 5, R"("correlation":1,"graph id":1,"graph node id":1,"module_fqn":"model.layers.2.mlp")") +
      kernel("b", 7, 10, 5, R"("correlation":1,"graph id":1,"graph node id":2)"));
  auto sources = std::make_unique<NamingSources>();
  const auto note = [](const char* name) {
    return std::make_shared<const NodeNote>(NodeNote{.name = name, .module = {}});
  };
  sources->notes[(std::uint64_t{1} << 32) + 1] = note("not this");
  sources->notes[(std::uint64_t{1} << 32) + 2] = note("region");
  const GraphReplays replays = made_replays(trace, std::move(sources));
  CHECK(replays.work[0].found == Found::kId);
  CHECK(replays.said_of(replays.work[0]).layer_index == 2);
  CHECK(replays.said_of(replays.work[0]).label == kNoText);
  CHECK(replays.text(replays.said_of(replays.work[1]).label) == "region");
  CHECK(replays.text(replays.said_of(replays.work[1]).module) == "region");
}

TEST_CASE("Captured launches are those that did not run, in host order, with what surrounds them") {
  const Analysed trace(record("user_annotation", "capture_8_FULL", 1, 1, 0, 100, "") +
                       record("cuda_runtime", "cudaStreamBeginCapture", 1, 1, 5, 5, R"("correlation":1)") +
                       record("python_function", "nn.Module: UpDecoderBlock2D_3", 1, 1, 10, 60, "") +
                       record("cpu_op", "aten::linear", 1, 1, 15, 20, "") +
                       record("cpu_op", "triton_poi_fused", 1, 1, 16, 5, "") +
                       record("cuda_driver", "cuLaunchKernelEx", 1, 1, 17, 1, R"("correlation":2)") +
                       record("cuda_runtime", "cudaLaunchKernel", 1, 1, 25, 1, R"("correlation":3)") +
                       record("cuda_runtime", "cudaLaunchKernel", 1, 1, 28, 1, R"("correlation":4)") +
                       record("cuda_runtime", "cudaMemcpyAsync", 1, 1, 40, 1, R"("correlation":5)") +
                       record("cuda_runtime", "cudaGraphLaunch", 1, 1, 45, 1, R"("correlation":6)") +
                       record("cuda_runtime", "cudaStreamEndCapture", 1, 1, 80, 5, R"("correlation":7)") +
                       kernel("ran", 7, 200, 5, R"("correlation":4)"));
  NamingSources sources;
  add_captured_ranges(trace.capture, kNoId, "x.json", sources);
  REQUIRE(sources.ranges.size() == 1);
  const CapturedRange& range = sources.ranges[0];
  CHECK(range.size == 8);
  CHECK(sources.strings.get(range.mode) == "FULL");
  REQUIRE(range.launches.size() == 3);
  CHECK(sources.strings.get(range.launches[0].name) == "triton_poi_fused");
  CHECK(range.launches[0].says.operators.size() == 2);
  CHECK(range.launches[0].says.layer_index == 3);
  CHECK(range.launches[1].is_unnamed());
  CHECK(range.launches[2].kind == EventRole::kMemcpy);
}

}  // namespace vizd::graph_replay_test
