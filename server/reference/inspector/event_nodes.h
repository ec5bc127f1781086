// EventNodes: whose value an event logged, where several nodes of the edge program carry one debug handle: in records
// of 1.x the ATen program's linear is a permute_copy of its weight and an addmm, and both have its handle. Refers to
// the graph and the events. Any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "reference/inspector/gap_graph.h"
#include "reference/inspector/numeric_gap.h"

namespace vizd::inspector {

class EventNodes {
 public:
  // The events of a block, in its order.
  EventNodes(const GapGraph& graph, std::span<const GapEvent> events);

  enum class Whose : std::uint8_t {
    kReference,  // of the node whose value the reference has under the handle: the last that carries it
    kOther,      // of another node of the handle
    kUnsure
  };
  struct Answer {
    Whose whose = Whose::kReference;
    const ProgramNode* node = nullptr;  // of the edge program; null where nobody can tell
  };
  // The values that the event at that place logged under one of its handles.
  Answer of(std::size_t event, std::int64_t handle) const;

 private:
  // The events of one handle whose kernels are of one operator, in one pass of a loop.
  using Alike = std::tuple<std::int64_t, std::string, std::uint32_t>;
  static Alike alike(const GapEvent& event, std::int64_t handle);

  const ProgramNode* node_of_kernel(std::size_t event, std::int64_t handle,
                                    std::span<const ProgramNode* const> nodes) const;
  const ProgramNode* node_that_leaves(const GapEvent& event, std::int64_t handle,
                                      std::span<const ProgramNode* const> nodes) const;

  const GapGraph& graph_;
  std::span<const GapEvent> events_;
  std::map<Alike, std::vector<std::size_t>> alike_;  // places of events
};

// Why a value is not compared that may be another node's: "logged of aten_permute_copy_default, …".
std::string text_of_other(const EventNodes::Answer& answer);

}  // namespace vizd::inspector
