// ChangedRule: a rule that matched more or less often for a kernel in one capture than in another, pass by pass of the
// kernel's context. Pure; the captures are only read.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/capture.h"

namespace vizd {

// The context that made a kernel, by the kernel's name as the device has it or as the context spells it, without
// colours. None where the capture has no such context.
std::optional<std::uint32_t> find_kernel_context(const Capture& capture, std::string_view kernel);

struct ChangedRule {
  std::string pass;  // its name; of several of one name in a context all are added up
  std::string file;  // where the rule is
  std::uint32_t line = 0;
  std::int64_t a_matches = 0, b_matches = 0;
};

// The greatest difference first; a rule whose line moved is another rule. Contexts are places in Rewrites::contexts.
std::vector<ChangedRule> compare_kernel_rewrites(const Capture& a, std::uint32_t a_context, const Capture& b,
                                                 std::uint32_t b_context);

}  // namespace vizd
