// ExecuTorch's profiles: an ETDump with the ETRecord of its program and the debug buffer of its values.
#pragma once

#include <cstddef>
#include <span>

#include "formats/registry.h"

namespace vizd::etdump {

extern const Format kFormat;

// Whether bytes begin like an ETDump, or like a zip whose first member is an ETRecord's mark.
bool sniff(std::span<const std::byte> beginning);

}  // namespace vizd::etdump
