// What devices did, beyond tables of kernels, as JSON objects: nodes of the call tree, collectives, frequent sequences,
// shares of the critical path: the same on the command line and over HTTP. Times are whole nanoseconds; what does not
// exist is null. One thread a writer.
#pragma once

#include "analysis/devices/call_tree.h"
#include "analysis/devices/collectives.h"
#include "analysis/devices/critical_path.h"
#include "analysis/devices/kernel_json.h"
#include "analysis/devices/kernel_sequences.h"

namespace vizd {

// parent: how the node's parent is called in the answer; none: it is at the top.
void write_call_node(JsonWriter& json, const Capture& capture, const CallNode& node,
                     std::optional<std::uint32_t> parent, const WriteMore& write_more = {});
void write_collective_row(JsonWriter& json, std::span<const ProfiledRank> profiles, const CollectiveRow& row,
                          const WriteMore& write_more = {});
void write_kernel_sequence(JsonWriter& json, const Capture& capture, const KernelSequence& sequence,
                           const WriteMore& write_more = {});
// path_ns: of the whole path.
void write_path_share(JsonWriter& json, const PathShare& share, std::int64_t path_ns, const WriteMore& write_more = {});

// The rank that a launch is of, as its capture has it; none where that does not tell.
std::optional<std::string> rank_of(std::span<const ProfiledRank> profiles, const CollectiveLaunch& launch);

}  // namespace vizd
