// vizd kernel-graph FILE: the launches of kernels, by time, with the buffers that they read and write, and who wrote
// what they read.
#include <fmt/format.h>

#include "analysis/devices/kernel_graph.h"
#include "base/standard_streams.h"
#include "cli/command_line/arguments.h"
#include "cli/command_line/command.h"
#include "cli/command_line/input.h"
#include "cli/command_line/records.h"

namespace vizd {
namespace {

// "data0=14 data1=7<#1568": each argument with its buffer, and the launch that wrote last what it reads.
std::string buffers_text(const Capture& capture, const KernelGraph& graph, const std::vector<std::uint32_t>& writer_of,
                         std::uint32_t run, bool wants_writes) {
  std::string text;
  const auto [begin, end] = graph.uses_of(run);
  for (std::uint32_t i = begin; i < end; ++i) {
    const BufferUse& use = graph.uses[i];
    if (wants_writes ? !use.writes : !use.reads) continue;
    const Track& track = capture.profile.tracks[use.track];
    text += fmt::format("{}data{}={}", text.empty() ? "" : " ", use.argument, track.allocations[use.allocation].key);
    if (wants_writes || writer_of[i] == kNoId) continue;
    const KernelRun& writer = graph.runs[writer_of[i]];
    text += fmt::format("<#{}", capture.profile.tracks[writer.track].launches[writer.launch].number);
  }
  return text;
}

Records graph_records(const Capture& capture, const KernelGraph& graph) {
  std::vector<std::uint32_t> writer_of(graph.uses.size(), kNoId);
  for (const BufferEdge& edge : graph.edges) writer_of[edge.use] = edge.from;
  Records records({"launch", "device", "at_ns", "dur_ns", "kernel", "reads", "writes"});
  for (std::uint32_t i = 0; i < graph.runs.size(); ++i) {
    const KernelRun& run = graph.runs[i];
    const Track& track = capture.profile.tracks[run.track];
    const Launch& launch = track.launches[run.launch];
    records.add({static_cast<std::int64_t>(launch.number), std::string(capture.strings.get(track.name)),
                 launch.at_ns - capture.profile.start_ns, run.events == 0 ? Cell() : Cell(run.dur_ns),
                 std::string(capture.strings.get(launch.name)), buffers_text(capture, graph, writer_of, i, false),
                 buffers_text(capture, graph, writer_of, i, true)});
  }
  return records;
}

}  // namespace

int run_kernel_graph(int argc, const char* const* argv) {
  CommandLine line("vizd kernel-graph",
                   "Lists the launches of kernels by time, with the buffers that they read and write. data1=7<#12 "
                   "means: the argument data1 is buffer 7, last written by launch 12.");
  CommonArguments common;
  common.describe(line);
  if (const auto code = line.parse(argc, argv)) return *code;
  const auto input = open_input(common);
  if (!input) return kExitFailure;
  const KernelGraph graph = kernel_graph(input->capture, ~std::size_t{0});
  if (graph.runs.empty()) {
    print_error("vizd kernel-graph: the capture has no launches\n");
    return kExitFailure;
  }
  graph_records(input->capture, graph).print(stdout, common.json);
  return kExitOk;
}

}  // namespace vizd
