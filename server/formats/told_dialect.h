// The dialect of captures that say themselves what their ops mean: names, colours and texts stand in the capture, and
// what it leaves out is made from what it has (include/vizd/FORMAT.md, ops).
#pragma once

#include <memory>
#include <vector>

#include "model/capture.h"

namespace vizd::told {

// A kind of op, by Op::kind.
struct OpKind {
  StringId name{};
  StringId colour{};
  bool inlined = false;
  bool operator==(const OpKind&) const = default;
};

// Made after the capture was read; keeps a reference to it. Adds the values that error_op() needs.
std::unique_ptr<Dialect> make_dialect(Capture& capture, std::vector<OpKind> kinds);

// The kinds of a dialect that make_dialect() made; null for any other.
const std::vector<OpKind>* kinds_of(const Dialect& dialect);

}  // namespace vizd::told
