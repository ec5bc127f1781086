// Lists a context as tinygrad's own viewer does: its passes and, after one that makes a program, its results. Pure.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "model/capture.h"

namespace vizd {

// Whether the viewer of the tinygrad that wrote the capture is one of 2026: its steps have kinds, a match its time.
// Those before 0.14.0 leave hidden ops out all the same.
bool has_newer_viewer(const Capture& capture);

struct ReferenceStep {
  std::string_view name;
  std::string_view path;  // of the query that asks for it, in the newer viewer
  const Pass* pass = nullptr;
  std::size_t pass_number = 0;  // in its context
  std::optional<ProgramStage> stage;
};

// In the newer viewer's order. The capture outlives them, and has a dialect.
std::vector<ReferenceStep> reference_steps(const Capture& capture, const Context& context);

}  // namespace vizd
