// Labels: the text of an op's box, as tinygrad's serve.py (uop_to_json) makes it: the op's name, its argument, its
// dtype, a line for each hidden source, its loops, its shape, the index or the loops' ends, the kernel it leads to, and
// the calls of the program that it comes from, where the capture tells (TRACEMETA=2).
// Belongs to one thread.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/sequence_table.h"
#include "base/string_table.h"
#include "formats/tinygrad/printing/op_metadata.h"
#include "formats/tinygrad/v2026_08/expr_text.h"
#include "formats/tinygrad/v2026_08/op_facts.h"
#include "formats/tinygrad/v2026_08/op_keys.h"
#include "formats/tinygrad/v2026_08/value_text.h"
#include "model/capture.h"

namespace vizd::tinygrad_2026_08 {

// What leads to a context: the canonical keys of kernels' syntax trees.
using ContextByKey = std::map<Digest256, ContextId>;

class Labels {
 public:
  // Ops are looked up in contexts by their keys; asked for at most once, when the first call is met.
  Labels(const OpGraph& graph, const Capture& capture, OpFacts& facts, const OpNames& names, Release release,
         const std::function<const ContextByKey&()>& contexts, const tinygrad::OpMetadata& metadata)
      : graph_(graph),
        capture_(capture),
        facts_(facts),
        names_(names),
        release_(release),
        text_(graph, &names),
        exprs_(facts.simplifier(), text_, release),
        keys_(graph, &names),
        contexts_(contexts),
        metadata_(metadata) {}

  LabelId label(OpId id);
  std::string_view text(LabelId id) const { return labels_.get(to_id<StringId>(index(id))); }
  std::optional<ContextId> ref(OpId id);
  // Whether labels may show what was known of it, as a call shows its body's key.
  bool forget(OpId id) { return keys_.forget(id); }
  void set_recorded(OpId id, OpId capture_op) { metadata_.set_recorded(id, capture_op); }

 private:
  std::optional<ContextId> ref_of_kernel(OpId id) const;
  const std::string& own_part(const Op& op);
  std::string argument_text(const Op& op);
  std::string kernel_text(const Op& op);
  void append_metadata(std::string& label, OpId id, Ops kind) const;
  void append_hidden_sources(std::string& label, const Op& op);
  // The lines that may raise; false where one did.
  bool append_derived(std::string& label, OpId id, const Op& op, const Facts& facts);
  bool is_too_large(OpId id, const Op& op);
  bool append_index(std::string& label, OpId id, const Op& op);
  std::optional<std::string> index_text(OpId id, const Op& op);
  bool holds_unroll(OpId base) const;
  std::vector<OpId> loops_in(const Op& op) const;
  std::optional<std::string> turns(OpId range);
  bool append_ends(std::string& label, const Op& op);

  const OpGraph& graph_;
  const Capture& capture_;
  OpFacts& facts_;
  const OpNames& names_;
  Release release_;
  ValueText text_;
  ExprText exprs_;
  OpKeys keys_;
  std::function<const ContextByKey&()> contexts_;
  tinygrad::LiveMetadata metadata_;
  SequenceTable own_keys_;
  std::vector<std::string> own_parts_;  // by own key
  StringTable labels_;
};

// "\e[34m0\e[0m,…" of loops in the order of their arguments, coloured by their axes (multirange_str); nothing where it
// raises.
std::optional<std::string> loops_text(const ValueTable& values, std::span<const RangeSets::Range> ranges);
// One of them (range_str).
std::optional<std::string> loop_text(const ValueTable& values, ValueId arg);

}  // namespace vizd::tinygrad_2026_08
