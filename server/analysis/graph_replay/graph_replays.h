// GraphReplays: which piece of a trace's device work is which node of which replay of a graph, how that is known, and
// what captures and annotations say of it; and the steps of the server that launched it. docs/figures.md has the rules.
// Refers to the capture and its work. Made once; reading may be done by any thread.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "analysis/devices/device_analysis.h"
#include "analysis/graph_replay/alignment.h"
#include "analysis/graph_replay/captured_ranges.h"
#include "analysis/graph_replay/server_steps.h"

namespace vizd {

// What is said of a piece of work. Texts are of NamingSources::strings.
struct SaidOfWork {
  StringId label = kNoText, operator_name = kNoText, module = kNoText, layer = kNoText;
  StringId input_dims = kNoText, input_types = kNoText;
  std::optional<std::int64_t> layer_index = {}, piece = {};
  const std::vector<StringId>* operators = nullptr;  // of the captured launch; null: not told
  const std::vector<StringId>* stack = nullptr;      // likewise
  const LaunchContext* captured = nullptr;           // of the first capture that fits
};

struct NamedWork {
  std::optional<std::uint64_t> node_id = {};
  std::uint32_t step = kNoId;       // in whose time its call began
  std::uint32_t replay = kNoId;     // kNoId: it was launched by itself
  std::uint32_t place = 0;          // in the replay's order
  std::uint32_t launch = kNoId;     // of the captured range
  std::uint32_t node = kNoId;       // of the replay's graph
  std::uint32_t said = 0;           // place in GraphReplays::said
  std::uint32_t kept_node = kNoId;  // of the replay's kept_graph
  Found found = Found::kNone;
  bool has_stack = false;  // outside of replays: Python's frames are around its call
};

struct GraphReplay {
  std::uint32_t device = 0;    // place in DeviceWork::devices
  std::uint32_t call = kNoId;  // place in DeviceWork::calls
  FileValue correlation = {};
  std::uint32_t step = kNoId, graph = kNoId;
  std::vector<std::uint32_t> items = {};  // in the order of capture where that is known, else by start
  std::uint32_t first = 0;                // the item that began first
  bool is_ordered = false;                // the order is that of node ids
  std::optional<std::uint64_t> graph_id = {};
  std::vector<std::uint32_t> ranges = {};  // of NamingSources that fit equally well; the first is taken
  std::size_t candidates = 0;              // how many those are, beyond the first 100 too
  Fit fit = {};
  std::uint32_t missing = 0;                    // captured launches without work
  std::optional<std::int64_t> kept_graph = {};  // as the file that the trace was written to before numbers it
  bool is_by_order = false;                     // too different from the capture to be compared by name
};

struct ReplayedGraph {
  std::vector<std::uint32_t> replays;  // by time
  std::uint32_t nodes = 0;
};

struct GraphReplays {
  const Capture& capture;
  const DeviceAnalysis& analysis;
  std::uint32_t root = kNoId;
  std::unique_ptr<NamingSources> sources;
  std::unique_ptr<HostEvents> host = {};
  std::vector<ServerStep> steps = {};
  std::uint32_t first_item = 0;            // the work is that of the rank: from this one on
  std::vector<NamedWork> work = {};        // by item, from the first on
  std::vector<SaidOfWork> said = {};       // the first says nothing
  std::vector<GraphReplay> replays = {};   // by the start of their first work
  std::vector<ReplayedGraph> graphs = {};  // by their first replay

  const WorkItem& item(std::uint32_t i) const { return analysis.work.items[first_item + i]; }
  const SaidOfWork& said_of(const NamedWork& of) const { return said[of.said]; }
  std::string_view text(StringId id) const { return sources->strings.get(id); }
  std::string_view name_of(std::uint32_t i) const {
    return capture.strings.get(capture.profile.tracks[item(i).track].events.name(item(i).event));
  }
  // When the call of a piece of work began; its own start where it has none.
  std::int64_t call_ns(std::uint32_t i) const {
    const std::uint32_t call = item(i).call;
    return call == kNoId ? item(i).start_ns : analysis.work.calls[call].start_ns;
  }
};

// Finds the replays of the rank whose tracks belong to root. sources: what was read of its captures and annotations;
// those that the trace itself holds are added.
GraphReplays find_graph_replays(const Capture& capture, const DeviceAnalysis& analysis, std::uint32_t root,
                                std::unique_ptr<NamingSources> sources);

// The steps of making it, in this order. Replays, and the steps of all work.
void find_replays(GraphReplays& made);
// Chooses the captures and aligns.
void name_replays(GraphReplays& made);
// What annotations say of nodes, and what surrounds the calls of work outside of replays.
void annotate_nodes(GraphReplays& made);
void find_context_of_eager_work(GraphReplays& made);
// Graphs and their nodes, followed from replay to replay.
void number_nodes(GraphReplays& made);

// What was read and names no kernel, with the reason.
std::vector<std::string> unused_sources(const GraphReplays& replays);

// Puts pieces of work in the order of their calls, of one call in the replay's.
void sort_by_call(const GraphReplays& replays, std::vector<std::uint32_t>& items);

}  // namespace vizd
