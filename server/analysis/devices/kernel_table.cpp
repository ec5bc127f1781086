#include "analysis/devices/kernel_table.h"

#include <algorithm>
#include <cmath>

#include "analysis/devices/kernel_groups.h"
#include "analysis/devices/kernel_names.h"
#include "analysis/figures/argument_cursor.h"
#include "base/parallel.h"

namespace vizd {
namespace {

class TableMaker {
 public:
  TableMaker(const Capture& capture, const DeviceWork& work, const Operators& operators, const WorkFigures& figures,
             const DevicePeaks& peaks, const KernelChoice& choice)
      : strings_(capture.strings),
        tracks_(capture.profile.tracks),
        work_(work),
        operators_(operators),
        figures_(figures),
        peaks_(peaks),
        choice_(choice),
        sources_(read_label_sources(capture, work, operators, figures, choice.group)),
        groups_(capture, work, operators, sources_, choice),
        rows_(groups_.rows().size()) {}

  std::vector<KernelRow> make() {
    begin_rows();
    if (groups_.are_short()) {
      sum_durations<std::uint32_t>();
    } else {
      sum_durations<std::int64_t>();
    }
    if (!figures_.are_unknown() || choice_.group == KernelGroup::kOperator) sum_figures();
    add_precisions();
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
      if (choice_.group == KernelGroup::kOperator) sum_operators(row, items);
    });
  }

  void sum_items(KernelRow& row, std::span<const std::uint32_t> items) const {
    bool has_all_copies = true;
    double copied = 0;
    for (const std::uint32_t i : items) {
      has_all_copies &= work_.items[i].work != EventRole::kKernel && !std::isnan(figures_.bytes_copied[i]);
      copied += figures_.bytes_copied[i];
      if (choice_.group == KernelGroup::kOperator) continue;
      add(row.flop, figures_.flop[i]);
      add(row.bytes, figures_.bytes[i]);
    }
    if (has_all_copies) row.bytes_copied = copied;
  }

  // Of operators each once, on however many devices.
  void sum_operators(KernelRow& row, std::span<const std::uint32_t> items) const {
    if (!row.key) return;
    std::vector<std::uint32_t> all;
    for (const std::uint32_t i : items) all.push_back(operators_.of_item[i]);
    std::ranges::sort(all);
    const auto rest = std::ranges::unique(all);
    all.erase(rest.begin(), rest.end());
    row.calls = static_cast<std::int64_t>(all.size());
    for (const std::uint32_t of : all) {
      add(row.flop, figures_.operator_flop[of]);
      add(row.bytes, figures_.operator_bytes[of]);
    }
  }

  static void add(std::optional<double>& sum, double figure) {
    if (!std::isnan(figure)) sum = sum.value_or(0) + figure;
  }

  // By the type of what the worst launch's operator multiplies, or what the kernel's name says.
  void add_precisions() {
    for (KernelRow& row : rows_) {
      const DevicePeak* const peak = peaks_.find(work_.devices[row.device].name);
      if (peak == nullptr) continue;
      row.peak_bytes_per_s = peak->bytes_per_s();
      if (!row.flop) continue;
      row.precision = precision_of_item(row.worst);
      if (row.precision) row.peak_flops = peak->flops(*row.precision);
    }
  }

  std::optional<Precision> precision_of_item(std::uint32_t i) const {
    const std::uint32_t of = operators_.of_item[i];
    if (of != kNoId) {
      const ProfileEvent& op = operators_.all[of];
      ArgumentCursor types(tracks_[op.track], "Input type", strings_);
      const auto value = types.at(op.event);
      if (value && std::holds_alternative<StringId>(*value)) {
        if (const auto known = precision_of_types(strings_.get(std::get<StringId>(*value)))) return known;
      }
    }
    return precision_of_kernel(strings_.get(tracks_[work_.items[i].track].events.name(work_.items[i].event)));
  }

  const StringTable& strings_;
  const std::vector<Track>& tracks_;
  const DeviceWork& work_;
  const Operators& operators_;
  const WorkFigures& figures_;
  const DevicePeaks& peaks_;
  const KernelChoice& choice_;
  const LabelSources sources_;
  const KernelGroups groups_;
  std::vector<KernelRow> rows_;
};

}  // namespace

std::optional<double> KernelRow::per_second(const std::optional<double>& amount) const {
  if (!amount || durations.total_ns == 0) return std::nullopt;
  return *amount / (static_cast<double>(durations.total_ns) * 1e-9);
}

std::optional<double> KernelRow::percent(const std::optional<double>& rate, const std::optional<double>& peak) {
  if (!rate || !peak) return std::nullopt;
  return 100 * *rate / *peak;
}

std::optional<double> KernelRow::intensity() const {
  if (!flop || !bytes || *bytes == 0) return std::nullopt;
  return *flop / *bytes;
}

std::string_view KernelRow::bound() const {
  const auto per_byte = intensity();
  if (!per_byte || !peak_flops || !peak_bytes_per_s) return "";
  return *per_byte * *peak_bytes_per_s >= *peak_flops ? "compute" : "memory";
}

std::vector<KernelRow> make_kernel_table(const Capture& capture, const DeviceWork& work, const Operators& operators,
                                         const WorkFigures& figures, const DevicePeaks& peaks,
                                         const KernelChoice& choice) {
  return TableMaker(capture, work, operators, figures, peaks, choice).make();
}

}  // namespace vizd
