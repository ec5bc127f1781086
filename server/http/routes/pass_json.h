// PassWriter: the data of one pass's stream (API.md, GET /api/v1/rewrites): its first graph, its matches in batches,
// and layouts. It remembers which labels, kinds and rules were sent, and numbers them in the order of sending. Belongs
// to one stream; everything it is given must outlive it.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/json_writer.h"
#include "derived/pass_layout.h"
#include "disasm/source_lines.h"
#include "http/routes/layout_json.h"
#include "rewrite/history.h"

namespace vizd {

class PassWriter {
 public:
  PassWriter(const Capture& capture, const Pass& pass, SourceLines& sources);

  // `graph`: state 0 of the history, which may be of that state alone.
  std::string graph(const History& history, const EpochLayout& layout, std::uint32_t epoch);
  // `matches`: states from to to, both inclusive. Called for all states from 1, in order, with one and the same
  // history.
  std::string matches(const History& history, std::uint32_t from, std::uint32_t to);
  // `layout` of the states of its epoch.
  std::string layout(const History& history, const EpochLayout& layout, LayoutName name,
                     Direction direction = Direction::kRight);

 private:
  // Things that happen at states: items in order of their states, first_of[s] to first_of[s + 1] those of state s.
  struct ByState {
    std::vector<std::uint32_t> items;
    std::vector<std::uint32_t> first_of;
    std::span<const std::uint32_t> between(std::uint32_t from, std::uint32_t to) const;
  };
  struct Order {
    const History* history = nullptr;
    ByState versions;                        // but the first of each node
    ByState deaths;                          // nodes
    ByState edges;                           // by birth: the order of sending
    ByState edge_deaths;                     // edges
    std::vector<std::uint32_t> edge_number;  // by edge: its place in the order of sending
    std::vector<std::uint32_t> node_of_version;
  };
  template <typename StateOf>
  static ByState by_state(std::size_t count, std::uint32_t state_count, StateOf state_of);
  const Order& order(const History& history);

  std::uint32_t label_number(const std::string& label);
  std::uint32_t kind_number(std::uint16_t kind);
  void write_nodes(JsonWriter& json, const History& history, std::span<const std::uint32_t> versions,
                   std::string_view state_key);
  void write_edges(JsonWriter& json, const History& history, std::span<const std::uint32_t> edges, bool with_birth);
  void write_new_names(JsonWriter& json);

  const Capture& capture_;
  const Pass& pass_;
  SourceLines& sources_;
  Order order_;
  std::unordered_map<std::uint32_t, std::uint32_t> rule_numbers_;  // by location
  std::unordered_map<std::string, std::uint32_t> label_numbers_;
  std::unordered_map<std::uint16_t, std::uint32_t> kind_numbers_;
  std::vector<std::string_view> new_labels_;
  std::vector<std::uint16_t> new_kinds_;
};

}  // namespace vizd
