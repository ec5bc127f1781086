// The dtype that follows from an op's sources (tinygrad's ops.py dtype_from_uop), for ops of a capture and for
// expressions alike. Pure functions, any thread.
#pragma once

#include <optional>
#include <span>

#include "formats/tinygrad/v2026_08/dtype.h"
#include "formats/tinygrad/v2026_08/ops.h"

namespace vizd::tinygrad_2026_08 {

struct DerivedDType {
  enum class Kind { kDerived, kKept, kRaises };
  Kind kind = Kind::kKept;  // kKept: the sources do not say
  Scalar scalar = Scalar::kVoid;
};

// What the rules look at besides an op's kind.
struct DTypeSources {
  std::span<const Scalar> sources{};
  // By source: whether it is a view of tinygrad's Invalid.
  std::span<const bool> is_invalid{};
  bool reads_image = false;          // of an INDEX: its source is a PARAM in the shape of an image
  std::optional<Scalar> argument{};  // what the op's argument says: of a CAST, a PARAM, a constant
  std::optional<Scalar> element{};   // of a GETTUPLE: the dtype of the tuple's element
};

DerivedDType derive_dtype(Ops op, const DTypeSources& of);

}  // namespace vizd::tinygrad_2026_08
