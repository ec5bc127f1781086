// Facts: what a capture says of its machine and its making: properties of devices, versions, the host. Plain data.
#pragma once

#include "base/string_table.h"
#include "model/arguments.h"

namespace vizd {

struct Fact {
  StringId subject{};  // what it is of: "GPU 0"; "" for the capture as a whole
  StringId name{};     // "compute capability", "torch version", …
  ArgumentValue value{};
  StringId unit{};
};

}  // namespace vizd
