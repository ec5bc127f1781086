// Facts: what a capture says of its machine and its making: properties of devices, versions, the host; and of its
// tracks. Plain data.
#pragma once

#include <cstdint>

#include "base/ids.h"
#include "base/string_table.h"
#include "model/arguments.h"

namespace vizd {

struct Fact {
  StringId subject{};  // what it is of: "GPU 0"; "" for the capture as a whole
  StringId name{};     // "compute capability", "torch version", …
  ArgumentValue value{};
  StringId unit{};
  std::uint32_t track = kNoId;  // the place in Profile::tracks of the one it is about; kNoId: of none by itself
  std::uint32_t times = 1;      // how often the capture says it
};

}  // namespace vizd
