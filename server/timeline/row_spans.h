// Finds the spans that a row shows between two times at a given column width: each is one event or several in a row
// that begin in the same column and are each shorter than a column. So nothing is left out, an event as long as a
// column is always a span of its own, and each aggregate knows exactly how many events it stands for and how long they
// run.
#pragma once

#include <cstdint>
#include <vector>

#include "timeline/name_times.h"
#include "timeline/row_index.h"

namespace vizd {

struct RowSpan {
  std::int64_t start_ns = 0, end_ns = 0;  // cut to the window
  std::uint32_t first = 0, events = 0;    // which ones
  StringId name{};                        // of one event its name; else the one with over half of busy_ns, if one has
  std::uint64_t name_ns = 0;              // certified: at least that much of busy_ns is the name's
  std::int64_t busy_ns = 0;               // cut to the window
  std::int64_t longest_ns = 0;            // whole
  std::int64_t next_ns = 0;               // when the row's next event begins, or the window ends
};

struct Window {
  std::int64_t from_ns = 0, to_ns = 0;
  unsigned column_bits = 0;    // a column is 2^column_bits ns
  std::int64_t origin_ns = 0;  // columns are counted from here, which is not after from_ns

  std::int64_t column_end_ns(std::int64_t at_ns) const {
    const std::int64_t end_ns = origin_ns + ((((at_ns - origin_ns) >> column_bits) + 1) << column_bits);
    return end_ns < to_ns ? end_ns : to_ns;
  }
  std::int64_t column_ns() const { return std::int64_t{1} << column_bits; }
};

// The spans of one row, one after the other.
class RowSpans {
 public:
  RowSpans(const EventColumns& events, const Row& row, const Window& window);

  // False at the end. Costs about the number of events in the span, or 100 where that is less.
  bool next(RowSpan& span);

 private:
  void add_events(std::int64_t column_end_ns, RowSpan& span);
  bool add_node(std::int64_t column_end_ns, RowSpan& span);
  void add_run(std::int64_t column_end_ns, RowSpan& span);

  std::uint64_t certified_ns(const RowSpan& span, StringId name) const;

  const EventColumns& events_;
  const Row& row_;
  const Window window_;
  std::uint32_t at_;
  // For the aggregate in work: the name that has over half of the time if one has, and the nodes it consists of.
  MajorityName majority_;
  struct TakenNode {
    std::uint32_t first, end;
    const RowNode* node;
  };
  std::vector<TakenNode> nodes_;
};

}  // namespace vizd
