#include "timeline/row_index.h"

#include <algorithm>
#include <limits>

#include "base/assert.h"
#include "timeline/name_times.h"

namespace vizd {
namespace {

RowNode leaf(const EventColumns& events, std::uint32_t first, std::int64_t busy_before) {
  RowNode node{.busy_before_ns = busy_before};
  NameTimes<64> times;
  std::int64_t longest_ns = 0;
  for (std::uint32_t i = first; i < first + events_per_node(0); ++i) {
    const std::int64_t length_ns = events.length_ns(i);
    longest_ns = std::max(longest_ns, length_ns);
    times.add(events.name(i), static_cast<std::uint64_t>(length_ns));
  }
  const NameTime most = times.most();
  node.name = most.name;
  node.name_ns = most.time_ns;
  node.longest_ns = static_cast<std::uint32_t>(std::min<std::int64_t>(longest_ns, 0xFFFFFFFF));
  return node;
}

RowNode parent(std::span<const RowNode> children) {
  RowNode node{.busy_before_ns = children.front().busy_before_ns};
  NameTimes<8> times;
  for (const RowNode& child : children) {
    times.add(child.name, child.name_ns);
    node.longest_ns = std::max(node.longest_ns, child.longest_ns);
  }
  node.name = times.most().name;
  node.name_ns = times.most().time_ns;
  return node;
}

}  // namespace

std::size_t row_node_count(std::uint32_t events) {
  std::size_t count = 0;
  for (std::uint32_t level = events >> kNodeBits; level > 0; level >>= kFanoutBits) count += level;
  return count;
}

void build_row_nodes(const EventColumns& events, std::uint32_t begin, std::uint32_t end, std::span<RowNode> nodes) {
  VIZD_ASSERT(nodes.size() == row_node_count(end - begin));
  std::int64_t busy_ns = 0;
  std::size_t count = (end - begin) >> kNodeBits;
  for (std::size_t i = 0; i < count; ++i) {
    const auto first = static_cast<std::uint32_t>(begin + i * events_per_node(0));
    nodes[i] = leaf(events, first, busy_ns);
    for (std::uint32_t k = first; k < first + events_per_node(0); ++k) busy_ns += events.length_ns(k);
  }
  std::span<const RowNode> below = nodes.first(count);
  std::size_t at = count;
  while ((count >>= kFanoutBits) > 0) {
    for (std::size_t i = 0; i < count; ++i) nodes[at + i] = parent(below.subspan(i << kFanoutBits, 1u << kFanoutBits));
    below = nodes.subspan(at, count);
    at += count;
  }
}

std::int64_t busy_before_ns(const EventColumns& events, const Row& row, std::uint32_t event) {
  const std::size_t leaves = row.size() >> kNodeBits;
  const std::size_t node = (event - row.begin) >> kNodeBits;
  // The events after the last full node count on from its first one.
  const std::size_t base = leaves == 0 ? 0 : std::min(node, leaves - 1);
  std::int64_t busy_ns = leaves == 0 ? 0 : row.nodes[base].busy_before_ns;
  for (auto i = static_cast<std::uint32_t>(row.begin + base * events_per_node(0)); i < event; ++i)
    busy_ns += events.length_ns(i);
  return busy_ns;
}

std::uint32_t first_starting_at(const EventColumns& events, const Row& row, std::int64_t at_ns) {
  const auto starts = events.starts().subspan(row.begin, row.size());
  return row.begin + static_cast<std::uint32_t>(std::ranges::lower_bound(starts, at_ns) - starts.begin());
}

std::uint32_t first_ending_after(const EventColumns& events, const Row& row, std::int64_t at_ns) {
  const std::uint32_t first = first_starting_at(events, row, at_ns);
  return first > row.begin && events.end_ns(first - 1) > at_ns ? first - 1 : first;
}

std::int64_t busy_between_ns(const EventColumns& events, const Row& row, std::int64_t from_ns, std::int64_t to_ns) {
  if (from_ns >= to_ns) return 0;
  const std::uint32_t first = first_ending_after(events, row, from_ns), last = first_starting_at(events, row, to_ns);
  if (first >= last) return 0;
  const std::int64_t whole_ns = busy_before_ns(events, row, last) - busy_before_ns(events, row, first);
  const std::int64_t before_ns = std::max<std::int64_t>(from_ns - events.start_ns(first), 0);
  const std::int64_t after_ns = std::max<std::int64_t>(events.end_ns(last - 1) - to_ns, 0);
  return whole_ns - before_ns - after_ns;
}

}  // namespace vizd
