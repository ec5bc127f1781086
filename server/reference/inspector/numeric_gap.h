// How far the values that a runtime logged are from those of a reference: as ExecuTorch's Inspector answers it, faults
// included, and output by output. Any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "formats/etdump/blocks.h"
#include "formats/etdump/etrecord.h"
#include "formats/etdump/tensor_values.h"
#include "reference/inspector/gap_measures.h"
#include "reference/inspector/reference_tensors.h"

namespace vizd::inspector {

// An event that logged values, in the order of its block; with several blocks, one block's after another's.
struct GapEvent {
  std::string name;  // "native_call_mean.out", "DELEGATE_CALL", a delegate's id
  std::int64_t instruction = -1;
  std::vector<std::int64_t> debug_handles;  // as the event has them: in the record's order, one twice perhaps
  std::vector<std::string> op_types;        // an event without any takes no part
  bool is_delegated = false;                // an event within a delegate; a DELEGATE_CALL is none
  std::span<const Value> values;            // of one iteration; must outlive the answer
  std::uint32_t occurrence = 0;             // how many equal events of its run come before it
};

// The events of a block that logged values: they refer to the block.
std::vector<GapEvent> gap_events(const Block& block);

// A row of the Inspector's calculate_numeric_gap.
struct InspectorGap {
  std::vector<std::string> aot_ops, runtime_ops;
  std::vector<double> gaps;  // one, but where an op has a list of outputs
};
// The Inspector's answer for method "forward"; the record says by which version's rules. The reference's values
// stand for what it would compute. Errors: where it raises one, in its words.
Result<std::vector<InspectorGap>> inspector_gaps(const EtRecord& record, std::span<const GapEvent> events,
                                                 const ReferenceValues& reference, GapMetric metric);

// One output of one node against what the runtime logged of it.
struct OutputGap {
  std::int64_t instruction = -1;
  std::uint32_t occurrence = 0;  // of a loop's passes: which
  std::int64_t debug_handle = -1;
  std::size_t output = 0;            // which of the node's outputs
  std::string node;                  // of the reference's graph: the ATen program's where the record has it
  std::string op;                    // that node's
  std::string runtime_op;            // the event's name
  std::vector<std::string> aot_ops;  // all nodes that the event stands for
  Tensor reference, runtime;
  double mse = 0, l1 = 0, snr = 0, cosine = 0, max_relative = 0;
  double relative_error = 0;  // sqrt(MSE over the reference's mean square)

  double metric(GapMetric which) const;
};
struct OutputGaps {
  std::vector<OutputGap> rows;  // in the order of the events
  // The first row where the error grows: whose relative error is ten times that of every row before, and beyond
  // what the type's rounding explains.
  std::optional<std::size_t> first_grown;
  // Lines that say what was not compared, and why.
  std::vector<std::string> not_compared;
};

// Compares each output of a kernel with the reference's of the same shape and kind, and of a delegate call the values
// that leave it. Never an index with a value.
OutputGaps output_gaps(const Method& method, std::span<const GapEvent> events, const ReferenceValues& reference);

// A program's outputs with those that the ETRecord keeps for the same inputs.
OutputGaps program_output_gaps(std::span<const Value> run, std::span<const Value> reference);

}  // namespace vizd::inspector
