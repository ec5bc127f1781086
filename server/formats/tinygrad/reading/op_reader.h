// OpReader: the ops of rewrites.pkl, which it numbers: uop_fields, a dict of number -> (op, dtype, sources' numbers,
// arg, tag[, metadata]). Makes each an op of the capture's graph, in whatever order the file has them, sources first.
// One thread; the tree, the values' reader and the capture must outlive it.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "base/huge_pages.h"
#include "base/result.h"
#include "formats/pickle/tree.h"
#include "formats/tinygrad/reading/value_reader.h"
#include "model/capture.h"

namespace vizd::tinygrad {

class OpReader {
 public:
  OpReader(const pickle::Tree& tree, ValueReader& values, Capture& capture)
      : tree_(tree), values_(values), capture_(capture) {}

  // Makes all ops of one uop_fields, and keeps their metadata. Ops that cannot be read are left out and counted, as are
  // those above them.
  // Errors: ops that lead back to themselves; file is their place.
  Result<void> read_all(pickle::Node uop_fields, const std::string& file);
  // The op that a node holding a number means; nothing where there is none.
  std::optional<OpId> find(pickle::Node number) const;

 private:
  // What must be made before an op.
  struct Needs {
    std::span<const pickle::Node> sources;
    std::optional<pickle::Node> ast;

    std::size_t size() const { return sources.size() + (ast ? 1 : 0); }
    pickle::Node operator[](std::size_t i) const { return i < sources.size() ? sources[i] : *ast; }
  };
  struct Frame {
    std::uint32_t number;
    std::uint32_t next = 0;  // the source to look at next
  };

  OpId state_of(pickle::Node number) const;
  bool add(pickle::Node number, pickle::Node fields);
  bool enter(pickle::Node number, pickle::Node fields);
  Needs needs_of(pickle::Node record) const;
  bool make(std::uint32_t number);
  OpId make_op(pickle::Node record, const Needs& needs);
  void note_metadata(OpId op, pickle::Node metadata);

  const pickle::Tree& tree_;
  ValueReader& values_;
  Capture& capture_;
  LargeVector<OpId> ops_;  // by the capture's number; or a state: kAbsent, kPending, kOpen, kBad
  std::unordered_map<std::uint32_t, pickle::Node> waiting_;  // fields of those that came before what they need
  std::size_t number_limit_ = 0;
  std::vector<Frame> frames_;
  std::vector<OpId> sources_;
  // In the order of the file. An op that was made twice has what its first record says, be it nothing: tinygrad has one
  // of equal ops.
  std::vector<std::pair<OpId, ValueId>> metadata_;
  std::unordered_set<OpId> has_metadata_read_;
};

}  // namespace vizd::tinygrad
