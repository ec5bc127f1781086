// The rows of answers about graph replays: how kernels were named, graphs, their replays and nodes, the server's steps,
// layers by phase, and two runs place by place. docs/figures.md defines the figures. Rows refer to the replays that
// they are of. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "analysis/devices/launch_statistics.h"
#include "analysis/graph_replay/graph_replays.h"
#include "analysis/graph_replay/module_kind.h"

namespace vizd {

// The steps that an answer is about.
struct StepChoice {
  bool is_steady = false;  // those of the steady window
  std::optional<StepPhase> phase = {};
  std::optional<std::pair<std::int64_t, std::int64_t>> steps = {};  // from the first to the last

  bool is_all() const { return !is_steady && !phase && !steps; }
};

// The work that rows are of: that of the steps chosen, and of it what lies in the part of the work that is looked at.
class ChosenWork {
 public:
  // items: by DeviceWork::items whether it is looked at; none: all are.
  ChosenWork(const GraphReplays& replays, const StepChoice& choice, std::vector<bool> items = {});

  // By its place, whether a step is chosen and any of its work is looked at; where all are, so is kNoId, no step.
  bool has(std::uint32_t step) const { return is_all_ || (step != kNoId && is_chosen_[step]); }
  // By place in GraphReplays::work.
  bool has_work(const GraphReplays& replays, std::uint32_t i) const {
    const bool is_of_step = are_all_steps_ || has(replays.work[i].step);
    return is_of_step && (items_.empty() || items_[replays.first_item + i]);
  }
  // Whether any of its work is.
  bool has_replay(const GraphReplays& replays, std::uint32_t replay) const;

 private:
  const bool are_all_steps_, is_all_;
  const std::vector<bool> items_;
  std::vector<bool> is_chosen_;  // by step
};

struct FoundCounts {
  std::int64_t id = 0, order = 0, guessed = 0, none = 0;
  void add(Found found);
};

struct NamingRow {
  std::int64_t kernels = 0, in_replays = 0;
  FoundCounts found = {};                                      // of those in replays
  std::int64_t own_operator = 0, own_stack = 0, own_none = 0;  // of the others
};

// The captured range that a graph or replay was found to be of.
struct CaptureOfReplay {
  std::optional<std::string_view> file = {}, mode = {};
  std::optional<std::int64_t> range = {}, size = {};
  std::optional<double> fit = {};
};

struct GraphRow {
  std::int64_t graph = 0;
  FileValue device = {};
  std::optional<std::int64_t> graph_id = {};
  std::int64_t replays = 0, nodes = 0, streams = 0, candidates = 0;
  CaptureOfReplay capture = {};  // of the first replay
  FoundCounts found = {};
};

struct ReplayRow {
  std::int64_t replay = 0, graph = 0;
  FileValue device = {}, correlation = {};
  std::optional<std::string_view> launch = {};
  std::optional<std::int64_t> launch_start_ns = {}, launch_ns = {};
  std::int64_t start_ns = 0, end_ns = 0, span_ns = 0, busy_ns = 0, idle_ns = 0, total_ns = 0;
  std::optional<std::int64_t> not_recorded_ns = {};  // of idle: where records were lost
  std::optional<std::int64_t> launch_to_start_ns = {}, gap_before_ns = {};
  std::int64_t work = 0, kernels = 0, streams = 0;
  std::optional<std::int64_t> step = {}, missing = {};
  CaptureOfReplay capture = {};
  FoundCounts found = {};
};

struct NodeRow {
  std::int64_t graph = 0, node = 0;
  std::optional<std::int64_t> node_id = {};
  EventRole kind = EventRole::kKernel;
  std::string_view name;
  FileValue stream = {};
  Found found = Found::kNone;
  std::optional<std::int64_t> launch_index = {};
  const SaidOfWork* said = nullptr;
  LaunchStatistics durations = {};
  std::int64_t slowest_replay = 0;
  std::optional<double> flop = {}, bytes = {};
};

struct StepRow {
  std::int64_t step = 0;
  std::string_view name;
  FileValue process = {}, thread = {};
  const StepName* says = nullptr;
  std::int64_t start_ns = 0, host_ns = 0, replays = 0, work = 0, kernels = 0, total_ns = 0, replay_total_ns = 0;
  std::optional<std::int64_t> device_start_ns = {}, device_end_ns = {}, device_span_ns = {}, busy_ns = {},
                              period_ns = {};
  std::optional<double> tokens_per_s = {};
};

struct SteadyRow {
  std::int64_t first_step = 0, last_step = 0, steps = 0, requests_max = 0;
  std::int64_t prefill = 0, decode = 0, mixed = 0, verify = 0;
  std::optional<std::int64_t> tokens = {}, span_ns = {};
  std::optional<double> tokens_per_s = {}, decode_period_median_ns = {};
};

struct LayerRow {
  std::optional<std::string_view> phase = {}, layer = {};
  std::optional<std::int64_t> layer_index = {}, piece = {};
  std::int64_t work = 0, total_ns = 0, steps = 0;
  std::optional<double> per_step_ns = {}, percent = {};
};

// A layer's row for one kind of module.
struct LayerKindRow : LayerRow {
  ModuleKind kind = ModuleKind::kOther;
};

struct PlaceRow {
  std::optional<std::string_view> phase = {}, operator_name = {}, a_name = {}, b_name = {};
  std::optional<std::int64_t> layer_index = {}, piece = {};
  std::int64_t n = 0, a_count = 0, b_count = 0, a_total_ns = 0, b_total_ns = 0;
  std::size_t rank = 0;                                // whose replays they are
  std::uint32_t a_longest = kNoId, b_longest = kNoId;  // place in GraphReplays::work of that run

  std::optional<double> a_mean_ns() const { return mean(a_total_ns, a_count); }
  std::optional<double> b_mean_ns() const { return mean(b_total_ns, b_count); }
  std::optional<double> delta_ns() const;
  // What the change costs or saves in all, of the times that both have; all of its time where one side lacks it.
  double change_ns() const;
  std::string_view state() const { return b_count == 0 ? "removed" : a_count == 0 ? "added" : "both"; }

 private:
  static std::optional<double> mean(std::int64_t total_ns, std::int64_t count) {
    return count == 0 ? std::nullopt : std::optional(static_cast<double>(total_ns) / static_cast<double>(count));
  }
};

NamingRow naming_row(const GraphReplays& replays, const ChosenWork& chosen);
std::vector<GraphRow> graph_rows(const GraphReplays& replays, const ChosenWork& chosen);
std::vector<ReplayRow> replay_rows(const GraphReplays& replays, const ChosenWork& chosen);
std::vector<NodeRow> node_rows(const GraphReplays& replays, const ChosenWork& chosen);
// Returns the rows of all steps; the caller chooses which to show.
std::vector<StepRow> step_rows(const GraphReplays& replays);
// None where no step of a server has a known number of requests. rows: of all steps.
std::optional<SteadyRow> steady_row(const std::vector<StepRow>& rows);
std::vector<LayerRow> layer_rows(const GraphReplays& replays, const ChosenWork& chosen);
std::vector<LayerKindRow> layer_kind_rows(const GraphReplays& replays, const ChosenWork& chosen);
// Work of steps by phase, layer, piece, operator and how many such before it in its step.
std::vector<PlaceRow> compare_places(const GraphReplays& a, const ChosenWork& a_chosen, const GraphReplays& b,
                                     const ChosenWork& b_chosen);

// To be added to the profile's times of that rank for the file's own.
std::int64_t file_offset_ns(const GraphReplays& replays);

}  // namespace vizd
