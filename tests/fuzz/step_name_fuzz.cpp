// Reads any text as the name of a server's step: what a step tells is no less than 0, and read again the same.
#include <cstddef>
#include <cstdint>

#include "analysis/graph_replay/step_name.h"
#include "base/assert.h"

using namespace vizd;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view name(reinterpret_cast<const char*>(data), size);
  auto step = parse_step_name(name);
  if (!step) return 0;
  VIZD_ASSERT(!step->spelling.empty());
  for (const StepCount& count : {step->requests, step->padded, step->tokens, step->draft_tokens, step->context.sqsk})
    VIZD_ASSERT(!count || *count >= 0);
  const StepCount tokens = step->tokens;
  step->add(*parse_step_name(name));
  VIZD_ASSERT(step->tokens == tokens);
  return 0;
}
