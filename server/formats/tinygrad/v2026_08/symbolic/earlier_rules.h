// The rules of the releases of 2026 before 0.14.0: those of 2026-08 where they are the same, and their own. Constant
// once made; any thread.
#pragma once

#include "formats/tinygrad/symbolic/rule.h"

namespace vizd::tinygrad_2026_08 {

const tinygrad::RuleTable& rules_of_12();
const tinygrad::RuleTable& rules_of_13();

}  // namespace vizd::tinygrad_2026_08
