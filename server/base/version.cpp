#include "base/version.h"

namespace vizd {

const std::string_view kVersion = VIZD_VERSION;

}  // namespace vizd
