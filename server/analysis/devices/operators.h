// Operators: which operator of a framework each piece of device work was launched for. Refers to the capture. Pure.
//
// A trace says it by "External id", but in those of before about 2024 that is the correlation again, and the numbers of
// operators coincide with it by accident: where no piece of work of a rank has an id other than its correlation, ids
// are no operators'. Then, and for work without an id, it is the innermost operator around the start of the call that
// launched it, on the call's thread.
#pragma once

#include <cstdint>
#include <vector>

#include "analysis/devices/device_work.h"
#include "base/column.h"

namespace vizd {

struct Operators {
  std::vector<ProfileEvent> all;               // those that launched any work
  SparseColumn<std::uint32_t, kNoId> of_item;  // by DeviceWork::items: place in all; kNoId where it is not known
};

Operators find_operators(const Capture& capture, const DeviceWork& work);

}  // namespace vizd
