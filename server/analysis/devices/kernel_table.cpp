#include "analysis/devices/kernel_table.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "analysis/devices/kernel_groups.h"
#include "analysis/devices/launch_precisions.h"
#include "base/parallel.h"

namespace vizd {
namespace {

class TableMaker {
 public:
  TableMaker(const Capture& capture, const DeviceWork& work, const Operators& operators, const WorkFigures& figures,
             const DevicePeaks& peaks, const KernelChoice& choice)
      : work_(work),
        operators_(operators),
        figures_(figures),
        peaks_(peaks),
        choice_(choice),
        sources_(read_label_sources(capture, work, operators, figures, choice.group)),
        groups_(capture, work, operators, sources_, choice),
        precisions_(capture, work, operators, figures),
        rows_(groups_.rows().size()) {}

  std::vector<KernelRow> make() {
    begin_rows();
    if (groups_.are_short()) {
      sum_durations<std::uint32_t>();
    } else {
      sum_durations<std::int64_t>();
    }
    if (!figures_.are_unknown() || choice_.group != KernelGroup::kName) {
      sum_figures();
    } else {
      for (KernelRow& row : rows_) add_limits(row, {});
    }
    std::ranges::stable_sort(rows_, [](const KernelRow& a, const KernelRow& b) {
      if (a.device != b.device) return a.device < b.device;
      if (a.durations.total_ns != b.durations.total_ns) return a.durations.total_ns > b.durations.total_ns;
      return a.key < b.key;
    });
    return std::move(rows_);
  }

 private:
  void begin_rows() {
    for (std::size_t r = 0; r < rows_.size(); ++r) {
      const KernelGroups::Row& group = groups_.rows()[r];
      rows_[r].device = group.device;
      rows_[r].work = group.work;
      rows_[r].key = group.key;
      rows_[r].is_communication = group.is_communication;
      rows_[r].worst = group.worst;
    }
  }

  // Calls sum(row, its values) for each row, on many threads.
  template <typename Value, typename ValueOf, typename Sum>
  void for_each_row(const ValueOf& value_of, const Sum& sum) {
    const UnfilledVector<Value> values = groups_.by_row<Value>(value_of);
    for_each_index(rows_.size(), core_count(), [&](std::size_t r) {
      const KernelGroups::Row& group = groups_.rows()[r];
      sum(rows_[r], std::span<const Value>(values).subspan(group.begin, group.end - group.begin));
    });
  }

  template <typename Duration>
  void sum_durations() {
    const auto dur_ns = [&](std::size_t i) {
      return static_cast<Duration>(work_.items[i].end_ns - work_.items[i].start_ns);
    };
    for_each_row<Duration>(dur_ns, [&](KernelRow& row, std::span<const Duration> durations_ns) {
      row.durations = launch_statistics_of(durations_ns);
      const auto device_ns = static_cast<double>(groups_.device_total_ns(row.device));
      if (device_ns > 0) row.time_percent = 100 * static_cast<double>(row.durations.total_ns) / device_ns;
    });
  }

  void sum_figures() {
    const auto place = [](std::size_t i) { return static_cast<std::uint32_t>(i); };
    for_each_row<std::uint32_t>(place, [&](KernelRow& row, std::span<const std::uint32_t> items) {
      sum_items(row, items);
      if (is_of_operators(choice_.group) && row.key) sum_calls(row, {items.begin(), items.end()});
      const std::vector<double> computing_ns = add_limits(row, items);
      add_stake(row, items, computing_ns);
    });
  }

  // What no operator tells the capture does.
  WorkSource source_of(std::uint32_t i) const {
    if (const CapturedOperator* const captured = operators_.captured_of(i)) return captured->source;
    const std::uint32_t of = operators_.of_item[i];
    const WorkSource source = of == kNoId ? WorkSource::kNone : figures_.operator_source[of];
    return source == WorkSource::kNone ? WorkSource::kOwn : source;
  }

  AttentionWork attention_of(std::uint32_t i) const {
    if (const CapturedOperator* const captured = operators_.captured_of(i))
      return {captured->attention, captured->attention == AttentionMask::kNotTold ? captured->causal_share : 1};
    const std::uint32_t of = operators_.of_item[i];
    return of == kNoId || figures_.operator_attention.empty() ? AttentionWork() : figures_.operator_attention[of];
  }

  std::int64_t dur_ns(std::uint32_t i) const { return work_.items[i].end_ns - work_.items[i].start_ns; }

  void sum_items(KernelRow& row, std::span<const std::uint32_t> items) const {
    bool has_all_copies = true;
    double copied = 0;
    for (const std::uint32_t i : items) {
      const EventRole work = work_.items[i].work;
      ++(work == EventRole::kKernel ? row.kernels : work == EventRole::kMemcpy ? row.copies : row.sets);
      has_all_copies &= work != EventRole::kKernel && !std::isnan(figures_.bytes_copied[i]);
      copied += figures_.bytes_copied[i];
      row.by_time += operators_.by_time_of_item[i];
      row.flop.add(figures_.flop[i], dur_ns(i));
      row.bytes.add(figures_.bytes[i], dur_ns(i));
      if (!std::isnan(figures_.flop[i]) || !std::isnan(figures_.bytes[i]))
        row.sources[static_cast<std::size_t>(source_of(i))] = true;
      if (std::isnan(figures_.flop[i])) continue;
      const AttentionWork attention = attention_of(i);
      row.masks[static_cast<std::size_t>(attention.mask)] = true;
      row.flop_if_causal += figures_.flop[i] * attention.causal_share;
      if (row.computing == kNoId || dur_ns(i) > dur_ns(row.computing)) row.computing = i;
    }
    if (has_all_copies) row.bytes_copied = copied;
  }

  // Each call with all that it launched on the row's device; its figures once, on however many devices.
  void sum_calls(KernelRow& row, std::vector<std::uint32_t> items) const {
    row.flop = row.bytes = {};
    std::ranges::stable_sort(items, {}, [&](std::uint32_t i) { return call_of(i); });
    std::vector<std::int64_t> calls_ns;
    for (std::size_t first = 0, end = 0; first < items.size(); first = end) {
      const std::uint32_t of = operators_.of_item[items[first]];
      const auto call = call_of(items[first]);
      KnownWork flop, bytes;  // of its kernels by themselves
      std::int64_t call_ns = 0;
      for (; end < items.size() && call_of(items[end]) == call; ++end) {
        call_ns += dur_ns(items[end]);
        flop.add(figures_.flop[items[end]], 0);
        bytes.add(figures_.bytes[items[end]], 0);
      }
      calls_ns.push_back(call_ns);
      const bool is_of_trace = of != kNoId && call.second == kNoId;
      const double not_known = FigureColumn::kNotKnown;
      row.flop.add(figure_of_call(is_of_trace ? figures_.operator_flop[of] : not_known, flop), call_ns);
      row.bytes.add(figure_of_call(is_of_trace ? figures_.operator_bytes[of] : not_known, bytes), call_ns);
    }
    row.calls = launch_statistics(calls_ns);
  }

  // The operator's call that launched it: of the trace, or of a captured one in a replay.
  std::pair<std::uint32_t, std::uint32_t> call_of(std::uint32_t i) const {
    const std::uint32_t captured = operators_.captured_call_of_item[i];
    return {captured == kNoId ? operators_.of_item[i] : kNoId, captured};
  }

  static double figure_of_call(double figure, const KnownWork& of_kernels) {
    return std::isnan(figure) ? of_kernels.amount().value_or(FigureColumn::kNotKnown) : figure;
  }

  // Each launch at the peak of its own precision. How long each would compute so; not a number where that is not known.
  std::vector<double> add_limits(KernelRow& row, std::span<const std::uint32_t> items) const {
    std::vector<double> computing_ns;
    const DevicePeak* const peak = peaks_.find(work_.devices[row.device].kind());
    if (peak == nullptr) return computing_ns;
    row.peak_bytes_per_s = peak->bytes_per_s();
    if (row.flop.count == 0) return computing_ns;
    computing_ns.reserve(items.size());
    LaunchPrecisions::Known known;
    std::array<double, kPrecisions> flop = {};
    for (const std::uint32_t i : items) {
      computing_ns.push_back(FigureColumn::kNotKnown);
      if (std::isnan(figures_.flop[i])) continue;
      const auto precision = precisions_.of(i, known);
      if (i == row.computing) row.precision = precision;
      const auto limit = precision ? peak->flops(*precision) : std::nullopt;
      if (!limit) continue;
      computing_ns.back() = 1e9 * figures_.flop[i] / *limit;
      flop[static_cast<std::size_t>(*precision)] += figures_.flop[i];
    }
    row.peak_flops = peak_of(flop, *peak);
    return computing_ns;
  }

  // The rate of arithmetic in several precisions, each at its peak.
  static std::optional<double> peak_of(const std::array<double, kPrecisions>& flop, const DevicePeak& peak) {
    const double all = std::accumulate(flop.begin(), flop.end(), 0.0);
    double seconds = 0;
    for (std::size_t p = 0; p < kPrecisions; ++p) {
      if (flop[p] == 0) continue;
      const double limit = *peak.flops(static_cast<Precision>(p));
      if (flop[p] == all) return limit;
      seconds += flop[p] / limit;
    }
    return seconds > 0 ? std::optional(all / seconds) : std::nullopt;
  }

  // Each launch at the limit that it would reach first.
  void add_stake(KernelRow& row, std::span<const std::uint32_t> items, std::span<const double> computing_ns) const {
    if (row.bound().empty()) return;
    double least_ns = 0, known_ns = 0;
    for (std::size_t at = 0; at < items.size(); ++at) {
      const std::uint32_t i = items[at];
      const double by_flop_ns = computing_ns.empty() ? FigureColumn::kNotKnown : computing_ns[at];
      const double moving_ns = 1e9 * figures_.bytes[i] / *row.peak_bytes_per_s;
      const double at_limit_ns = std::fmax(by_flop_ns, moving_ns);  // of the two the one that is known
      if (std::isnan(at_limit_ns)) continue;
      least_ns += std::max(at_limit_ns / kAttainable, kLeastLaunch_ns);
      known_ns += static_cast<double>(dur_ns(i));
    }
    row.at_stake_ns = std::llround(std::max(known_ns - least_ns, 0.0));
  }

  const DeviceWork& work_;
  const Operators& operators_;
  const WorkFigures& figures_;
  const DevicePeaks& peaks_;
  const KernelChoice& choice_;
  const LabelSources sources_;
  const KernelGroups groups_;
  const LaunchPrecisions precisions_;
  std::vector<KernelRow> rows_;
};

}  // namespace

std::optional<double> KnownWork::per_second() const {
  if (count == 0 || total_ns == 0) return std::nullopt;
  return sum / (static_cast<double>(total_ns) * 1e-9);
}

void KnownWork::add(double figure, std::int64_t dur_ns) {
  if (std::isnan(figure)) return;
  sum += figure;
  total_ns += dur_ns;
  ++count;
}

std::optional<double> KernelRow::per_all_time(const KnownWork& known) const {
  if (known.count == 0 || durations.total_ns == 0) return std::nullopt;
  return known.sum / (static_cast<double>(durations.total_ns) * 1e-9);
}

std::optional<double> KernelRow::percent(const std::optional<double>& rate, const std::optional<double>& peak) {
  if (!rate || !peak) return std::nullopt;
  return 100 * *rate / *peak;
}

std::string_view KernelRow::overcounted() const {
  const bool is_flop = is_above(flop.per_second(), peak_flops),
             is_bytes = is_above(bytes.per_second(), peak_bytes_per_s);
  if (is_flop) return is_bytes ? kOvercounted[2] : kOvercounted[1];
  return is_bytes ? kOvercounted[0] : "";
}

std::string_view KernelRow::attention() const {
  const auto has = [this](AttentionMask mask) { return masks[static_cast<std::size_t>(mask)]; };
  if (has(AttentionMask::kNotTold)) return "not told";
  if (has(AttentionMask::kCausal)) return has(AttentionMask::kFull) ? "both" : "causal";
  return has(AttentionMask::kFull) ? "all pairs" : "";
}

std::string KernelRow::work_from() const {
  std::string all;
  for (std::size_t s = 1; s < sources.size(); ++s) {
    if (sources[s]) all += (all.empty() ? "" : ", ") + std::string(kWorkSourceNames[s]);
  }
  return all;
}

std::optional<double> KernelRow::intensity() const {
  if (flop.count == 0 || bytes.count != flop.count || bytes.sum == 0) return std::nullopt;
  return flop.sum / bytes.sum;
}

std::string_view KernelRow::bound() const {
  if (bytes.count == 0 || bytes.sum == 0 || !peak_bytes_per_s || !overcounted().empty()) return "";
  // Kernels that mostly move memory have no counted arithmetic.
  if (flop.count == 0) return sources[static_cast<std::size_t>(WorkSource::kOwn)] ? "" : "memory";
  if (!peak_flops) return "";
  return flop.sum / *peak_flops >= bytes.sum / *peak_bytes_per_s ? "compute" : "memory";
}

std::vector<KernelRow> make_kernel_table(const Capture& capture, const DeviceWork& work, const Operators& operators,
                                         const WorkFigures& figures, const DevicePeaks& peaks,
                                         const KernelChoice& choice) {
  return TableMaker(capture, work, operators, figures, peaks, choice).make();
}

}  // namespace vizd
