// Fact: something that a capture says of its machine and its making: properties of devices, versions, the host; and of
// its tracks. Plain data.
#pragma once

#include <cstdint>
#include <string_view>

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
  bool is_hidden = false;       // says how the capture was recorded, which people are not shown
};

namespace fact {
// A fact of a trace's track, or of the capture if the whole capture is one trace; hidden: what to add to the profile's
// times to get the file's own.
inline constexpr std::string_view kTimeOffset_ns = ".time offset";
}  // namespace fact

}  // namespace vizd
