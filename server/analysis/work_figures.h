// WorkFigures: what each piece of device work did: arithmetic, bytes moved, bytes copied. Refers to nothing. Pure.
//
// The figures of a kernel are, of those that the capture has, the first: its own (a compiler's estimate, or that of a
// trace that was augmented); else its share of those of its operator, which has them once a call however many kernels
// it launched: by the kernels' durations, or equal shares where these are all 0. Communication and copies have none.
#pragma once

#include <cstdint>
#include <vector>

#include "analysis/operators.h"

namespace vizd {

struct WorkFigures {
  // By DeviceWork::items; not a number where it is not known.
  std::vector<double> flop, bytes, bytes_copied;
  // By Operators::all.
  std::vector<double> operator_flop, operator_bytes;
};

WorkFigures find_work_figures(const Capture& capture, const DeviceWork& work, const Operators& operators);

}  // namespace vizd
