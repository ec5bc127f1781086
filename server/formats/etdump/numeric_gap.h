// How far the values that a runtime logged are from those of a reference: as ExecuTorch's Inspector answers it, faults
// included, and output by output. Any thread.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "formats/etdump/etrecord.h"
#include "formats/etdump/tensor_values.h"

namespace vizd::etdump {

enum class GapMetric { kMse, kL1, kSnr, kCosine, kMaxRelative };
inline constexpr GapMetric kGapMetrics[] = {GapMetric::kMse, GapMetric::kL1, GapMetric::kSnr, GapMetric::kCosine,
                                            GapMetric::kMaxRelative};
// "MSE", "L1", "SNR", "cosine", "max relative".
std::string_view metric_name(GapMetric metric);

// NaN counts as 0 in both, as the Inspector has it. SNR in dB, infinite where the two are equal; cosine 1 where they
// point the same way; max relative is the greatest |a - b| / |a| (where a is 0: / the greatest |a|). Both equally long.
double gap_between(GapMetric metric, std::span<const double> reference, std::span<const double> runtime);

// An event that logged values: one of a block's (its first iteration's values), in the block's order.
struct GapEvent {
  std::string name;                        // "native_call_mean.out", "DELEGATE_CALL"
  std::int64_t instruction = -1;
  std::vector<std::int64_t> debug_handles;  // as the event has them: in the record's order, twice perhaps
  std::vector<std::string> op_types;        // an event without any takes no part
  bool is_delegated = false;
  std::string backend;
  std::span<const Value> values;            // must outlive the answer
};

// The reference's values by debug handles, several where a node has several outputs.
using ReferenceValues = std::map<std::vector<std::int64_t>, std::vector<Value>>;

// Files H.npy, H.I.npy (output I of several) and H_H.npy (of several handles) of a folder; each file that cannot be read
// adds a line to warnings. The bytes are held by the values. Errors: no such folder.
Result<ReferenceValues> read_reference_tensors(const std::string& folder, std::vector<std::string>& warnings);

// A row of the Inspector's calculate_numeric_gap.
struct ReferenceGap {
  std::vector<std::string> aot_ops, runtime_ops;
  double gap = 0;
};
// What the Inspector answers; the record says by which version's rules. Errors: where it raises one, in its words.
Result<std::vector<ReferenceGap>> inspector_gaps(const EtRecord& record, std::span<const GapEvent> events,
                                                 const ReferenceValues& reference, GapMetric metric);

// One output of one node against what the runtime logged of it.
struct OutputGap {
  std::int64_t instruction = -1;
  std::int64_t debug_handle = -1;
  std::size_t output = 0;          // which of the node's outputs
  std::string node, op;            // of the reference's graph: the ATen program's where the record has it
  std::string runtime_op;          // the event's name
  std::vector<std::string> aot_ops;  // all nodes that the event stands for
  std::vector<std::int64_t> shape;
  std::string dtype;               // of the runtime's value
  double mse = 0, l1 = 0, snr = 0, cosine = 0, max_relative = 0;

  double metric(GapMetric which) const;
};
struct OutputGaps {
  std::vector<OutputGap> rows;  // in the order of instructions
  // Of rows, the first from which the error is grown: whose MSE, relative to the reference's mean square, is at least
  // ten times that of every row before and above rounding. None where nothing grows.
  std::optional<std::size_t> first_grown;
  // What could not be compared, and why: "aten.cat.default: the runtime logged [2, 3], the reference is [3, 2]".
  std::vector<std::string> not_compared;
};
// Output by output: of a delegate call the values that are its outputs, of a kernel each output with the reference's of
// the same place; never an index against a value.
OutputGaps output_gaps(const Method& method, std::span<const GapEvent> events, const ReferenceValues& reference);

}  // namespace vizd::etdump
