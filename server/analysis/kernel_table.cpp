#include "analysis/kernel_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <tuple>
#include <unordered_map>

#include "analysis/argument_cursor.h"
#include "analysis/call_tree.h"
#include "analysis/kernel_names.h"
#include "analysis/steps.h"
#include "base/ascii_case.h"
#include "base/parallel.h"
#include "model/argument_json.h"

namespace vizd {
namespace {

// What a row is of: rows of one device, class and key are one.
struct RowKey {
  std::uint32_t device = 0;
  trace::Work work = trace::Work::kNone;
  std::uint32_t label = kNoId;
};

class TableMaker {
 public:
  TableMaker(const Capture& capture, const DeviceWork& work, const Operators& operators, const WorkFigures& figures,
             const DevicePeaks& peaks, const KernelChoice& choice)
      : capture_(capture),
        strings_(capture.strings),
        tracks_(capture.profile.tracks),
        work_(work),
        operators_(operators),
        figures_(figures),
        peaks_(peaks),
        choice_(choice) {}

  std::vector<KernelRow> make() {
    if (choice_.group == KernelGroup::kShapes) read_shapes();
    if (choice_.group == KernelGroup::kModule) tree_ = make_call_tree(capture_, work_, operators_, figures_);
    group_items();
    sum_rows();
    add_precisions();
    std::ranges::stable_sort(rows_, [](const KernelRow& a, const KernelRow& b) {
      if (a.device != b.device) return a.device < b.device;
      if (a.durations.total_ns != b.durations.total_ns) return a.durations.total_ns > b.durations.total_ns;
      return a.key < b.key;
    });
    return std::move(rows_);
  }

 private:
  bool counts(std::size_t i) {
    const WorkItem& item = work_.items[i];
    if (!choice_.category.empty() && category_of(item) != choice_.category) return false;
    if (!choice_.step) return true;
    const std::uint32_t step = step_of(item);
    return step != kNoId && capture_.profile.runs[step].number == *choice_.step;
  }

  // That in which it was launched: its call's, else its own.
  std::uint32_t step_of(const WorkItem& item) {
    const std::int64_t at_ns = item.call == kNoId ? item.start_ns : work_.calls[item.call].start_ns;
    const std::uint32_t root = work_.device_of(item).root;
    return steps_.try_emplace(root, capture_.profile, strings_, root).first->second.at(at_ns);
  }

  StringId name_of(const ProfileEvent& event) const { return tracks_[event.track].events.name(event.event); }

  std::string_view category_of(const WorkItem& item) {
    if (item.work != trace::Work::kKernel) return "copy";
    if (item.is_communication) return "communication";
    const auto [found, is_new] = categories_.try_emplace(name_of(item));
    if (is_new) found->second = kernel_category(strings_.get(found->first));
    return found->second;
  }

  void read_shapes() {
    shapes_.assign(operators_.all.size(), StringId{});
    std::map<std::uint32_t, std::vector<std::pair<std::uint32_t, std::uint32_t>>> by_track;
    for (std::uint32_t i = 0; i < operators_.all.size(); ++i)
      by_track[operators_.all[i].track].emplace_back(operators_.all[i].event, i);
    for (auto& [track, events] : by_track) {
      std::ranges::sort(events);
      ArgumentCursor dims(tracks_[track], "Input Dims", strings_);
      for (const auto& [event, i] : events) {
        const auto value = dims.at(event);
        if (value && std::holds_alternative<StringId>(*value)) shapes_[i] = std::get<StringId>(*value);
      }
    }
  }

  // What the item's label is made of: equal ones have equal labels.
  std::uint64_t source_of(std::size_t i) {
    const WorkItem& item = work_.items[i];
    const std::uint32_t of = operators_.of_item[i];
    switch (choice_.group) {
      case KernelGroup::kOperator:
        return of == kNoId ? kNoId : index(name_of(operators_.all[of]));
      case KernelGroup::kShapes:
        return of == kNoId ? kNoId : std::uint64_t{index(shapes_[of])} << 32 | index(name_of(operators_.all[of]));
      case KernelGroup::kModule:
        return module_of(tree_, tree_.of_item[i]);
      case KernelGroup::kStream:
        return item.stream;
      case KernelGroup::kDevice:
      case KernelGroup::kRank:
        return row_device_of(item);
      case KernelGroup::kStep:
        return step_of(item);
      case KernelGroup::kCategory:
        return std::uint64_t{item.work != trace::Work::kKernel} << 33 | std::uint64_t{item.is_communication} << 32 |
               index(name_of(item));
      case KernelGroup::kName:
      case KernelGroup::kFamily:
        break;
    }
    return index(name_of(item));
  }

  // None: not known.
  std::optional<std::string> label_of(std::size_t i, std::uint64_t source) {
    if (source == kNoId) return std::nullopt;
    const WorkItem& item = work_.items[i];
    switch (choice_.group) {
      case KernelGroup::kCategory:
        return std::string(category_of(item));
      case KernelGroup::kFamily:
        return kernel_family(strings_.get(name_of(item)));
      case KernelGroup::kOperator:
        return std::string(strings_.get(name_of(operators_.all[operators_.of_item[i]])));
      case KernelGroup::kShapes: {
        const std::uint32_t of = operators_.of_item[i];
        return fmt::format("{} {}", strings_.get(name_of(operators_.all[of])), strings_.get(shapes_[of]));
      }
      case KernelGroup::kStream: {
        const FileValue& number = work_.streams[item.stream].number;
        return number ? value_text(*number, strings_) : "";
      }
      case KernelGroup::kModule:
        return module_path(tree_, static_cast<std::uint32_t>(source), strings_);
      case KernelGroup::kDevice: {
        const WorkDevice& device = work_.device_of(item);
        const std::string number = device.number ? value_text(*device.number, strings_) : "";
        return device.name.empty() || device.name == number ? number : fmt::format("{} {}", number, device.name);
      }
      case KernelGroup::kRank: {
        const FileValue& rank = work_.device_of(item).rank;
        return rank ? std::optional(value_text(*rank, strings_)) : std::nullopt;
      }
      case KernelGroup::kStep:
        return std::string(strings_.get(capture_.profile.runs[source].name));
      case KernelGroup::kName:
        break;
    }
    return std::string(strings_.get(name_of(item)));
  }

  // Rows are of one device, but for those of ranks.
  std::uint32_t row_device_of(const WorkItem& item) const {
    const std::uint32_t device = work_.streams[item.stream].device;
    if (choice_.group != KernelGroup::kRank) return device;
    const auto first = std::ranges::find(work_.devices, work_.devices[device].root, &WorkDevice::root);
    return static_cast<std::uint32_t>(first - work_.devices.begin());
  }

  std::uint32_t label_number(std::size_t i) {
    const std::uint64_t source = source_of(i);
    std::uint32_t& number = label_slot(source);
    if (number == kNoId) number = make_label(i, source);
    return number;
  }

  // Where the source's label is kept: sources are small numbers as a rule.
  std::uint32_t& label_slot(std::uint64_t source) {
    constexpr std::uint64_t kMostDense = 1 << 22;
    if (source >= kMostDense) return label_of_source_.try_emplace(source, kNoId).first->second;
    if (source >= label_of_small_source_.size()) label_of_small_source_.resize(std::bit_ceil(source + 1), kNoId);
    return label_of_small_source_[source];
  }

  std::uint32_t make_label(std::size_t i, std::uint64_t source) {
    const std::optional<std::string> label = label_of(i, source);
    if (!label) return kUnknown;
    if (!contains_in_any_case(*label, choice_.text)) return kLeftOut;
    const auto [named, is_new] = labels_.try_emplace(*label, static_cast<std::uint32_t>(label_texts_.size()));
    if (is_new) label_texts_.push_back(*label);
    return named->second;
  }

  // A label's last row is most often its next one too.
  std::uint32_t row_at(const RowKey& key, const WorkItem& first) {
    if (key.label == kUnknown) return find_row(key, first);
    if (key.label >= last_rows_.size()) last_rows_.resize(std::bit_ceil(std::size_t{key.label} + 1));
    LastRow& last = last_rows_[key.label];
    if (last.row == kNoId || last.device != key.device || last.work != key.work)
      last = {key.device, key.work, find_row(key, first)};
    return last.row;
  }

  std::uint32_t find_row(const RowKey& key, const WorkItem& first) {
    const std::uint64_t packed =
        std::uint64_t{key.label} << 32 | std::uint64_t{key.device} << 2 | static_cast<std::uint64_t>(key.work);
    const auto [found, is_new] = row_of_key_.try_emplace(packed, static_cast<std::uint32_t>(rows_.size()));
    if (is_new) add_row(key, first);
    return found->second;
  }

  void group_items() {
    row_of_item_.assign(work_.items.size(), kNoId);
    device_total_ns_.assign(work_.devices.size(), 0);
    for (std::size_t i = 0; i < work_.items.size(); ++i) {
      const WorkItem& item = work_.items[i];
      const std::uint32_t device = row_device_of(item);
      device_total_ns_[device] += item.end_ns - item.start_ns;
      if (!counts(i)) continue;
      const std::uint32_t label = label_number(i);
      if (label == kLeftOut) continue;
      const trace::Work work = choice_.group == KernelGroup::kName ? item.work : trace::Work::kNone;
      row_of_item_[i] = row_at({device, work, label}, item);
      ++counts_[row_of_item_[i]];
    }
  }

  void add_row(const RowKey& key, const WorkItem& first) {
    KernelRow row;
    row.device = key.device;
    row.work = key.work;
    row.is_communication = first.is_communication;
    if (key.label != kUnknown) row.key = label_texts_[key.label];
    rows_.push_back(std::move(row));
    counts_.push_back(0);
  }

  // The items row by row.
  void sum_rows() {
    std::vector<std::size_t> begins(rows_.size() + 1);
    for (std::size_t r = 0; r < rows_.size(); ++r) begins[r + 1] = begins[r] + counts_[r];
    LargeVector<std::uint32_t> items(begins.back());
    LargeVector<std::int64_t> durations_ns(begins.back());
    std::vector<std::size_t> next(begins.begin(), begins.end() - 1);
    for (std::uint32_t i = 0; i < row_of_item_.size(); ++i) {
      if (row_of_item_[i] == kNoId) continue;
      const std::size_t place = next[row_of_item_[i]]++;
      items[place] = i;
      durations_ns[place] = work_.items[i].end_ns - work_.items[i].start_ns;
    }
    for_each_index(rows_.size(), core_count(), [&](std::size_t r) {
      const std::size_t count = begins[r + 1] - begins[r];
      sum_row(rows_[r], std::span(items).subspan(begins[r], count), std::span(durations_ns).subspan(begins[r], count));
    });
  }

  // Changes the order of the durations.
  void sum_row(KernelRow& row, std::span<const std::uint32_t> items, std::span<std::int64_t> durations_ns) const {
    row.worst = items[static_cast<std::size_t>(std::ranges::max_element(durations_ns) - durations_ns.begin())];
    row.durations = launch_statistics_of(durations_ns);
    const std::int64_t device_ns = device_total_ns_[row.device];
    if (device_ns > 0)
      row.time_percent = 100 * static_cast<double>(row.durations.total_ns) / static_cast<double>(device_ns);
    sum_figures(row, items);
    if (choice_.group == KernelGroup::kOperator) sum_operators(row, items);
  }

  void sum_figures(KernelRow& row, std::span<const std::uint32_t> items) const {
    if (figures_.are_unknown()) return;
    bool has_all_copies = true;
    double copied = 0;
    for (const std::uint32_t i : items) {
      has_all_copies &= work_.items[i].work != trace::Work::kKernel && !std::isnan(figures_.bytes_copied[i]);
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
    return precision_of_kernel(strings_.get(name_of(work_.items[i])));
  }

  static constexpr std::uint32_t kUnknown = kNoId - 1, kLeftOut = kNoId - 2;

  const Capture& capture_;
  const StringTable& strings_;
  const std::vector<Track>& tracks_;
  const DeviceWork& work_;
  const Operators& operators_;
  const WorkFigures& figures_;
  const DevicePeaks& peaks_;
  const KernelChoice& choice_;
  std::map<std::uint32_t, Steps> steps_;  // by root
  std::vector<StringId> shapes_;          // by operator
  CallTree tree_;                         // of kModule
  std::unordered_map<StringId, std::string_view> categories_;
  std::vector<std::uint32_t> label_of_small_source_;
  std::unordered_map<std::uint64_t, std::uint32_t> label_of_source_;
  std::unordered_map<std::uint64_t, std::uint32_t> row_of_key_;
  struct LastRow {
    std::uint32_t device = 0;
    trace::Work work = trace::Work::kNone;
    std::uint32_t row = kNoId;
  };
  std::vector<LastRow> last_rows_;  // by label
  std::map<std::string, std::uint32_t> labels_;
  std::vector<std::string> label_texts_;
  std::vector<std::uint32_t> row_of_item_;
  std::vector<std::size_t> counts_;  // by row
  std::vector<std::int64_t> device_total_ns_;
  std::vector<KernelRow> rows_;
};

}  // namespace

std::optional<KernelGroup> kernel_group(std::string_view word) {
  const auto found = std::ranges::find(kKernelGroupNames, word);
  if (found == std::end(kKernelGroupNames)) return std::nullopt;
  return static_cast<KernelGroup>(found - std::begin(kKernelGroupNames));
}

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
