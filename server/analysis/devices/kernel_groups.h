// KernelGroups: the work of devices, row by row of a table of kernels. Found by all cores at once, each in a part of
// the work; rows and launches are in the order of the work all the same. Refers to what it is given. Reading may be
// done by any thread.
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "analysis/devices/kernel_labels.h"
#include "base/huge_pages.h"
#include "base/parallel.h"

namespace vizd {

class KernelGroups {
 public:
  struct Row {
    std::uint32_t device = 0;
    EventRole work = EventRole::kNone;  // of kName
    std::optional<std::string> key;     // none: not known
    bool is_communication = false;      // what the first launch is
    std::int64_t longest_ns = std::numeric_limits<std::int64_t>::min();
    std::uint32_t worst = 0;         // the longest launch: place in DeviceWork::items
    std::size_t begin = 0, end = 0;  // its launches in what by_row gives
  };

  KernelGroups(const Capture& capture, const DeviceWork& work, const Operators& operators, const LabelSources& sources,
               const KernelChoice& choice);

  const std::vector<Row>& rows() const { return rows_; }
  // The time of all work of a row's device, whether it is in a row or not.
  std::int64_t device_total_ns(std::uint32_t device) const { return device_total_ns_[device]; }

  // Whether the duration of every launch in a row fits 32 bits: none took four seconds.
  bool are_short() const { return dur_bits_ >> 32 == 0; }

  // value_of each launch, by its place in DeviceWork::items, row by row.
  template <typename Value, typename ValueOf>
  UnfilledVector<Value> by_row(const ValueOf& value_of) const {
    UnfilledVector<Value> values(rows_.empty() ? 0 : rows_.back().end);
    for_each_index(parts_.size(), core_count(), [&](std::size_t p) {
      const Part& part = parts_[p];
      std::vector<std::size_t> next = part.begins;
      for (std::size_t i = part.first; i < part.end; ++i) {
        if (row_of_item_[i] != kNoId) values[next[row_of_item_[i]]++] = value_of(i);
      }
    });
    return values;
  }

 private:
  // Its rows are numbered by themselves.
  struct Part {
    std::size_t first = 0, end = 0;   // in DeviceWork::items
    std::vector<Row> rows;            // end: how many launches
    std::vector<std::size_t> begins;  // by its rows: where its first launch is in what by_row gives
    std::vector<std::int64_t> device_total_ns;
    std::uint64_t dur_bits = 0;  // that any duration has
  };
  class PartGrouping;
  using RowKey = std::tuple<std::uint32_t, EventRole, std::optional<std::string>>;

  void join_parts();

  std::vector<Part> parts_;
  UnfilledVector<std::uint32_t> row_of_item_;  // in its part; kNoId: in none
  std::vector<Row> rows_;
  std::vector<std::int64_t> device_total_ns_;
  std::uint64_t dur_bits_ = 0;
};

}  // namespace vizd
