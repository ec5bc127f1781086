// RowNode: makes a row of a million events as quick to look at as one of a hundred. A node sums up 64 consecutive
// events, a node of the next level eight of those, and so on; only full nodes are kept, so that what is left over at
// the end of a row is looked at event by event. About 0.43 bytes an event.
#pragma once

#include <cstdint>
#include <span>

#include "base/huge_pages.h"
#include "model/event_columns.h"

namespace vizd {

struct RowNode {
  std::int64_t busy_before_ns = 0;  // sum of the lengths of the row's events before this node
  std::uint64_t name_ns = 0;        // certified: events of that name take at least this much of the node's time
  StringId name{};                  // the name with the most certified time
  std::uint32_t longest_ns = 0;     // 0xFFFFFFFF: that or more
};

inline constexpr unsigned kNodeBits = 6, kFanoutBits = 3;  // 64 events, 8 nodes

// A row: the lane's events [begin, end), and its nodes, level after level.
struct Row {
  std::uint32_t begin = 0, end = 0;
  std::span<const RowNode> nodes;

  std::uint32_t size() const { return end - begin; }
};

inline std::uint64_t events_per_node(unsigned level) { return std::uint64_t{1} << (kNodeBits + kFanoutBits * level); }

// How many nodes a row of that many events has, on all levels.
std::size_t row_node_count(std::uint32_t events);

// Fills nodes, which has row_node_count(end - begin) elements. The events are sorted by start, none overlaps another.
void build_row_nodes(const EventColumns& events, std::uint32_t begin, std::uint32_t end, std::span<RowNode> nodes);

// Sum of the lengths of the row's events before `event` (begin <= event <= end). Costs up to 63 events.
std::int64_t busy_before_ns(const EventColumns& events, const Row& row, std::uint32_t event);

// The first event of the row that starts at or after at_ns; row.end where none does.
std::uint32_t first_starting_at(const EventColumns& events, const Row& row, std::int64_t at_ns);
// The first event of the row that ends after at_ns, or is an instant at it; row.end where none does.
std::uint32_t first_ending_after(const EventColumns& events, const Row& row, std::int64_t at_ns);
// Time in [from_ns, to_ns) in which an event of the row runs. Exact.
std::int64_t busy_between_ns(const EventColumns& events, const Row& row, std::int64_t from_ns, std::int64_t to_ns);

}  // namespace vizd
