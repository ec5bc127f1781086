// Labels: the text of an op's box, as tinygrad's serve.py (uop_to_json) makes it: the op's name, its argument, its
// dtype, a line for each source that has no box of its own, its shape or its loops, and the kernel it leads to. A text
// is made once for all ops that show the same; belongs to one thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/sequence_table.h"
#include "base/string_table.h"
#include "formats/tinygrad/printing/op_metadata.h"
#include "formats/tinygrad/v2025_09/op_facts.h"
#include "formats/tinygrad/v2025_09/value_text.h"
#include "model/capture.h"

namespace vizd::tinygrad_2025_09 {

// Whether ops of this kind are lines in their users' boxes.
inline bool is_always_inlined(Ops op) { return op == Ops::kDevice || op == Ops::kConst || op == Ops::kUnique; }

class Labels {
 public:
  // The capture is asked what a KERNEL leads to; it may still be read while this is made, but not when labels are.
  Labels(const OpGraph& graph, const Capture& capture, OpFacts& facts, const tinygrad::OpMetadata& metadata)
      : graph_(graph), capture_(capture), facts_(facts), text_(graph), metadata_(metadata) {}

  LabelId label(OpId id);
  std::string_view text(LabelId id) const { return labels_.get(to_id<StringId>(index(id))); }
  std::optional<ContextId> ref(const Op& op) const;
  void set_recorded(OpId id, OpId capture_op) { metadata_.set_recorded(id, capture_op); }

 private:
  // Name, argument and dtype: what an op shows of itself.
  std::uint32_t own_part(const Op& op);
  std::string argument_text(const Op& op);
  std::string views_text(ValueId tracker);
  std::string sizes_text(ValueId tuple);
  std::string pairs_text(ValueId tuple);
  std::string size_text(ValueId size);
  // What a line about an inlined source says after its name and place.
  std::uint32_t inlined_part(OpId source);
  // The shape line or the loops line; 0 for none.
  std::uint32_t last_line(const Op& op, const Facts& facts);
  // The line of the calls that it comes from; 0 for none.
  std::uint32_t metadata_part(OpId id, Ops kind);
  std::string compose(const Op& op, std::span<const std::uint32_t> key) const;

  const OpGraph& graph_;
  const Capture& capture_;
  OpFacts& facts_;
  ValueText text_;
  tinygrad::LiveMetadata metadata_;
  StringTable parts_;  // own parts, inlined parts and last lines
  SequenceTable own_keys_;
  std::vector<std::uint32_t> own_parts_;    // by own key
  std::vector<std::uint32_t> shape_lines_;  // by ShapeId
  std::vector<std::uint32_t> range_lines_;  // by RangesId
  SequenceTable label_keys_;
  std::vector<LabelId> label_by_key_;
  StringTable labels_;
  std::vector<std::uint32_t> key_;
};

}  // namespace vizd::tinygrad_2025_09
