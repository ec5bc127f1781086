// Reads what XLA writes of a compiled program: the bytes of an HloProto, as profiles and dumps have them. Any thread.
#pragma once

#include <string_view>

#include "base/result.h"
#include "model/hlo_module.h"

namespace vizd::hlo {

// The module's views are of the bytes. Literals are passed over unread. An error where the bytes are damaged, or the
// module has more instructions or computations than a million.
Result<Module> read_module(std::string_view bytes);

}  // namespace vizd::hlo
