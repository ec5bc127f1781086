// Which vizd this is, as `vizd --version` tells: its version, the commit that it was built of, and how it was built.
#pragma once

#include <string>

namespace vizd {

std::string version_text();

}  // namespace vizd
