// WorkFigures: what each piece of device work did: arithmetic, bytes moved, bytes copied. Refers to nothing. Pure.
//
// The figures of a kernel are, of those that the capture has, the first: its own (a compiler's estimate, or that of a
// trace that was augmented); else its share of those of its operator, which has them once a call however many kernels
// it launched: by the kernels' durations, or equal shares where these are all 0. Communication and copies have none.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "analysis/devices/operators.h"
#include "analysis/pytorch/operator_bytes.h"
#include "base/huge_pages.h"

namespace vizd {

// Figures of very many things; not a number where they are not known. Of most captures none is, which costs nothing.
class FigureColumn {
 public:
  static constexpr double kNotKnown = std::numeric_limits<double>::quiet_NaN();

  double operator[](std::size_t i) const { return i < values_.size() ? values_[i] : kNotKnown; }
  void set(std::size_t i, double value) {
    if (i >= values_.size()) {
      if (std::isnan(value)) return;
      values_.resize(i + 1, kNotKnown);
    }
    values_[i] = value;
  }
  bool is_unknown() const { return values_.empty(); }
  std::size_t memory_bytes() const { return values_.capacity() * sizeof(double); }

 private:
  LargeVector<double> values_;
};

// The work of an operator that is attention.
struct AttentionWork {
  AttentionMask mask = AttentionMask::kNone;
  double causal_share = 1;  // of its FLOP, if it is causal, where that is not told
};

struct WorkFigures {
  FigureColumn flop, bytes, bytes_copied;             // by DeviceWork::items
  std::vector<double> operator_flop, operator_bytes;  // by Operators::all
  std::vector<WorkSource> operator_source;            // likewise
  std::vector<AttentionWork> operator_attention;      // likewise; empty: none is

  // Whether nothing is known of any piece of work.
  bool are_unknown() const { return flop.is_unknown() && bytes.is_unknown() && bytes_copied.is_unknown(); }
};

WorkFigures find_work_figures(const Capture& capture, const DeviceWork& work, const Operators& operators);

}  // namespace vizd
