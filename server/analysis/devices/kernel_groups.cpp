#include "analysis/devices/kernel_groups.h"

#include <algorithm>
#include <bit>
#include <unordered_map>

namespace vizd {
namespace {

constexpr std::size_t kLeastPart = 1 << 16;

}  // namespace

// Groups the work of one part.
class KernelGroups::PartGrouping {
 public:
  PartGrouping(Part& part, KernelLabels labels, const DeviceWork& work, KernelGroup group)
      : part_(part), labels_(std::move(labels)), work_(work), group_(group) {
    part_.device_total_ns.assign(work.devices.size(), 0);
  }

  void group(UnfilledVector<std::uint32_t>& row_of_item) {
    for (std::size_t i = part_.first; i < part_.end; ++i) {
      const WorkItem& item = work_.items[i];
      const std::int64_t dur_ns = item.end_ns - item.start_ns;
      const std::uint32_t device = labels_.row_device_of(item);
      part_.device_total_ns[device] += dur_ns;
      const std::uint32_t label = labels_.number_of(i);
      row_of_item[i] = label == KernelLabels::kLeftOut ? kNoId : row_of(item, device, label);
      if (row_of_item[i] == kNoId) continue;
      Row& row = part_.rows[row_of_item[i]];
      ++row.end;
      part_.dur_bits |= static_cast<std::uint64_t>(dur_ns);
      if (dur_ns <= row.longest_ns) continue;
      row.longest_ns = dur_ns;
      row.worst = static_cast<std::uint32_t>(i);
    }
  }

 private:
  // A label's last row is most often its next one too.
  std::uint32_t row_of(const WorkItem& item, std::uint32_t device, std::uint32_t label) {
    const EventRole work = group_ == KernelGroup::kName ? item.work : EventRole::kNone;
    if (label == KernelLabels::kUnknown) return find_row(item, device, work, label);
    if (label >= last_rows_.size()) last_rows_.resize(std::bit_ceil(std::size_t{label} + 1), kNoId);
    std::uint32_t& last = last_rows_[label];
    if (last == kNoId || part_.rows[last].device != device || part_.rows[last].work != work)
      last = find_row(item, device, work, label);
    return last;
  }

  std::uint32_t find_row(const WorkItem& item, std::uint32_t device, EventRole work, std::uint32_t label) {
    const std::uint64_t key =
        std::uint64_t{label} << 32 | std::uint64_t{device} << 2 | static_cast<std::uint64_t>(work);
    const auto [found, is_new] = rows_.try_emplace(key, static_cast<std::uint32_t>(part_.rows.size()));
    if (is_new) {
      Row& row = part_.rows.emplace_back();
      row.device = device;
      row.work = work;
      row.is_communication = item.is_communication;
      if (label != KernelLabels::kUnknown) row.key = labels_.text(label);
    }
    return found->second;
  }

  Part& part_;
  KernelLabels labels_;
  const DeviceWork& work_;
  const KernelGroup group_;
  std::vector<std::uint32_t> last_rows_;  // by label
  std::unordered_map<std::uint64_t, std::uint32_t> rows_;
};

KernelGroups::KernelGroups(const Capture& capture, const DeviceWork& work, const Operators& operators,
                           const LabelSources& sources, const KernelChoice& choice)
    : row_of_item_(work.items.size()), device_total_ns_(work.devices.size()) {
  const std::size_t items = work.items.size();
  const std::size_t parts = std::clamp<std::size_t>(items / kLeastPart, 1, core_count());
  parts_.resize(parts);
  for_each_index(parts, core_count(), [&](std::size_t p) {
    parts_[p].first = items * p / parts;
    parts_[p].end = items * (p + 1) / parts;
    PartGrouping(parts_[p], {capture, work, operators, sources, choice}, work, choice.group).group(row_of_item_);
  });
  join_parts();
}

void KernelGroups::join_parts() {
  std::map<RowKey, std::size_t> places;
  std::vector<std::vector<std::size_t>> place_of_row;  // by part, by its rows
  for (const Part& part : parts_) {
    for (std::size_t d = 0; d < device_total_ns_.size(); ++d) device_total_ns_[d] += part.device_total_ns[d];
    dur_bits_ |= part.dur_bits;
    std::vector<std::size_t>& of_part = place_of_row.emplace_back();
    for (const Row& row : part.rows) {
      const auto [found, is_new] = places.try_emplace({row.device, row.work, row.key}, rows_.size());
      of_part.push_back(found->second);
      if (is_new) {
        rows_.push_back(row);
        continue;
      }
      Row& joined = rows_[found->second];
      joined.end += row.end;
      if (row.longest_ns <= joined.longest_ns) continue;
      joined.longest_ns = row.longest_ns;
      joined.worst = row.worst;
    }
  }
  std::size_t launches = 0;
  for (Row& row : rows_) {
    row.begin = launches;
    row.end = launches += row.end;
  }
  std::vector<std::size_t> next;
  for (const Row& row : rows_) next.push_back(row.begin);
  for (std::size_t p = 0; p < parts_.size(); ++p) {
    for (std::size_t r = 0; r < parts_[p].rows.size(); ++r) {
      std::size_t& begin = next[place_of_row[p][r]];
      parts_[p].begins.push_back(begin);
      begin += parts_[p].rows[r].end;
    }
  }
}

}  // namespace vizd
