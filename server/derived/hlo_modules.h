// The HLO modules of a profile of XLA, read from the bytes that it holds: only when somebody asks for them, since most
// questions about a profile do not. Pure. Any thread.
#pragma once

#include <vector>

#include "model/hlo_module.h"
#include "model/xla_profile.h"

namespace vizd {

// By the profile's hosts. They refer to the profile, which must outlive them.
std::vector<hlo::HostModules> read_hlo_modules(const XlaProfile& profile);

}  // namespace vizd
