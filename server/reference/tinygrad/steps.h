// Lists a context as tinygrad's own viewer does: its passes and, after one that makes a program, its results. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "model/capture.h"

namespace vizd {

struct ReferenceStep {
  std::string_view name;
  std::string_view path;  // of the query that asks for it, in the newer viewer
  const Pass* pass = nullptr;
  std::size_t pass_number = 0;  // in its context
  std::optional<ProgramStage> stage;
  std::uint32_t depth = 0;
};

// In the newer viewer's order. The capture outlives them, and has a dialect.
std::vector<ReferenceStep> reference_steps(const Capture& capture, const Context& context);

}  // namespace vizd
