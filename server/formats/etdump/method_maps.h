// MethodMaps: what the maps of a method say of the events of a block: which debug handles and delegate an instruction
// has, and which nodes of the edge program those are. Refers to the method. One thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "formats/etdump/blocks.h"
#include "formats/etdump/etrecord.h"

namespace vizd::etdump {

class MethodMaps {
 public:
  explicit MethodMaps(const Method& method);

  const Method& method() const { return method_; }
  // Looked up by the event's instruction; null: none.
  const std::vector<std::int64_t>* handles(const BlockEvent& event) const;
  const DelegateCall* delegate(const BlockEvent& event) const;
  // Places in the edge program, in graph order; null: no node has that handle.
  const std::vector<std::uint32_t>* nodes(std::int64_t handle) const;

  // Gives the event these handles, and the nodes and op types of the handles that it has. Of all events of a block so
  // many are told: a record may name very many for one instruction.
  void give_handles(const std::vector<std::int64_t>& handles, BlockEvent& event);
  void add_nodes(BlockEvent& event);

 private:
  const Method& method_;
  std::unordered_map<std::int64_t, std::vector<std::uint32_t>> nodes_;  // by handle
  std::size_t left_ = std::size_t{1} << 22;
};

}  // namespace vizd::etdump
