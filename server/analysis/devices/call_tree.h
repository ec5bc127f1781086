// CallTree: what the host was in when it launched device work: modules, marked ranges and operators, the call, the
// kernel, each with the work below it rolled up. Nodes of one name in one place are one. Refers to the capture. Pure.
//
// A backward operator, which runs in a thread of its own, is in the modules of the forward operator whose sequence
// number it has. Work that no call or operator is known of is a kernel at the top. Work of a replayed graph that a
// capture names is in the modules and operators that the capture tells, below the ranges around the graph's launch, and
// not below the launch itself. Such nodes refer to the operators.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/devices/operators.h"
#include "analysis/devices/work_figures.h"

namespace vizd {

enum class FrameKind : std::uint8_t { kRank, kModule, kRange, kOperator, kCall, kKernel };
inline constexpr std::string_view kFrameKindNames[] = {"rank", "module", "range", "operator", "call", "kernel"};
inline std::string_view frame_kind_name(FrameKind kind) { return kFrameKindNames[static_cast<std::size_t>(kind)]; }

struct CallNode {
  std::uint32_t parent = kNoId;  // place in CallTree::nodes; kNoId: at the top
  FrameKind kind = FrameKind::kKernel;
  StringId name{};
  std::string_view captured = {};  // its name where the capture of a graph tells it, and not the trace
  std::int64_t calls = 0;          // events that this node is; of kernels the launches
  // Totals of the work below.
  std::int64_t launches = 0, total_ns = 0;
  double flop = 0, bytes = 0;  // where known; 0: of none
  std::uint32_t worst = 0;     // the longest launch: place in DeviceWork::items
};

struct CallTree {
  std::vector<CallNode> nodes;         // parents before their children
  std::vector<std::uint32_t> of_item;  // by DeviceWork::items: the kernel's node
};

CallTree make_call_tree(const Capture& capture, const DeviceWork& work, const Operators& operators,
                        const WorkFigures& figures);

// As people read it: a module without the word that says that it is one.
std::string_view frame_name(const CallNode& node, const StringTable& strings);
// The innermost module around the node, with those around it: "Model_0 / Layer_3 / Linear_12"; "" where there is none.
std::string module_path(const CallTree& tree, std::uint32_t node, const StringTable& strings);
// The place of that module's node; kNoId: none.
std::uint32_t module_of(const CallTree& tree, std::uint32_t node);
// Depth first, the most time first: places of nodes.
std::vector<std::uint32_t> tree_order(const CallTree& tree);

}  // namespace vizd
