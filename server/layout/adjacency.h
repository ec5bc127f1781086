// Adjacency: for each node of a graph a list of numbers (its arcs, its neighbours), all lists in one array.
// Internal to layout; plain data.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace vizd {

struct Adjacency {
  std::vector<std::uint32_t> first;  // by node, and one more: where its list begins in items
  std::vector<std::uint32_t> items;

  std::size_t size() const { return first.empty() ? 0 : first.size() - 1; }
  std::span<const std::uint32_t> of(std::uint32_t node) const {
    return std::span(items).subspan(first[node], first[node + 1] - first[node]);
  }
  std::span<std::uint32_t> of(std::uint32_t node) {
    return std::span(items).subspan(first[node], first[node + 1] - first[node]);
  }
};

// The lists of 0 .. count - 1, grouped by group_of(i) and in ascending order within a group; where value_of is given,
// they hold value_of(i) in place of i. An i whose group is not below group_count is left out.
template <typename GroupOf, typename ValueOf>
Adjacency group_by(std::size_t group_count, std::size_t count, GroupOf group_of, ValueOf value_of) {
  Adjacency out;
  out.first.assign(group_count + 1, 0);
  for (std::uint32_t i = 0; i < count; ++i) {
    if (const std::size_t group = group_of(i); group < group_count) ++out.first[group + 1];
  }
  for (std::size_t group = 0; group < group_count; ++group) out.first[group + 1] += out.first[group];
  out.items.resize(out.first.back());
  std::vector<std::uint32_t> next(out.first.begin(), out.first.end() - 1);
  for (std::uint32_t i = 0; i < count; ++i) {
    if (const std::size_t group = group_of(i); group < group_count) out.items[next[group]++] = value_of(i);
  }
  return out;
}

template <typename GroupOf>
Adjacency group_by(std::size_t group_count, std::size_t count, GroupOf group_of) {
  return group_by(group_count, count, group_of, [](std::uint32_t i) { return i; });
}

}  // namespace vizd
