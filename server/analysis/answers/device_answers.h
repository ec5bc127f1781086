// The rows of all answers about devices, each field said once: kernels, breakdowns, the call tree, collectives,
// frequent sequences, the critical path, operators, threads, what torch.compile did, comparisons, and who holds a
// memory. docs/figures.md defines the figures. A line refers to its row and to the capture. Pure.
#pragma once

#include <optional>
#include <span>

#include "analysis/answers/field.h"
#include "analysis/devices/call_tree.h"
#include "analysis/devices/collective_instances.h"
#include "analysis/devices/collectives.h"
#include "analysis/devices/compiles.h"
#include "analysis/devices/critical_path.h"
#include "analysis/devices/device_breakdown.h"
#include "analysis/devices/kernel_comparison.h"
#include "analysis/devices/kernel_sequences.h"
#include "analysis/devices/kernel_table.h"
#include "analysis/devices/operator_table.h"
#include "analysis/devices/thread_times.h"
#include "timeline/memory_holders.h"

namespace vizd {

struct KernelLine {
  const Capture& capture;
  const DeviceWork& work;
  const KernelRow& row;
  KernelGroup group = KernelGroup::kName;
};
// The field of what rows are grouped by is called kernel_key(group).
Fields<KernelLine> kernel_fields(KernelGroup group = KernelGroup::kName);
std::string_view kernel_key(KernelGroup group);

struct BreakdownLine {
  const Capture& capture;
  const DeviceWork& work;
  const DeviceBreakdown& row;
};
Fields<BreakdownLine> breakdown_fields();

struct CallLine {
  const Capture& capture;
  const CallNode& row;
  std::optional<std::uint32_t> parent;  // what the answer calls the node's parent; none: it is at the top
  std::uint32_t id = 0;
  std::int64_t depth = 0;
  std::int64_t all_ns = 0;             // of all work
  std::string_view capture_name = {};  // for tables of several captures
};
Fields<CallLine> call_tree_fields();

struct CollectiveLine {
  std::span<const ProfiledRank> profiles;
  const CollectiveRow& row;
};
Fields<CollectiveLine> collective_fields();

struct StragglerLine {
  std::span<const ProfiledRank> profiles;
  const Straggler& row;
};
Fields<StragglerLine> straggler_fields();

// One collective.
struct CollectiveInstanceLine {
  std::span<const ProfiledRank> profiles;
  const CollectiveRow& row;
  const Collective& collective;
  const CollectiveInstance& instance;
};
Fields<CollectiveInstanceLine> collective_instance_fields();

struct SequenceLine {
  const Capture& capture;
  const KernelSequence& row;
  std::string_view capture_name = {};
};
Fields<SequenceLine> sequence_fields();

struct PathLine {
  const Capture& capture;
  const PathShare& row;
  const FileValue& rank;
  std::int64_t path_ns = 0;  // of the whole path
};
Fields<PathLine> path_fields();

struct HolderLine {
  const Capture& capture;
  const Track& memory;
  const MemoryHolders& holders;
  const MemoryHolder& row;
  std::uint64_t all_bytes = 0;  // that are listed then
};
Fields<HolderLine> holder_fields();

struct CompileLine {
  const CompileRow& row;
};
Fields<CompileLine> compile_fields();

struct OperatorLine {
  const Capture& capture;
  const OperatorRow& row;
  OperatorGroup group = OperatorGroup::kName;
};
// The field of what tells rows of one name apart is called operator_key(group); "" of names alone.
Fields<OperatorLine> operator_fields(OperatorGroup group = OperatorGroup::kName);
std::string_view operator_key(OperatorGroup group);

struct ThreadLine {
  const Capture& capture;
  const ThreadTime& row;
};
Fields<ThreadLine> thread_fields();

struct ComparisonLine {
  const ComparedKernel& row;
  KernelJoin join = KernelJoin::kName;
};
Fields<ComparisonLine> comparison_fields(KernelJoin join = KernelJoin::kName);

}  // namespace vizd
