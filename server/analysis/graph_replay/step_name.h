// StepName: what the name of an annotation says of a step of a server that runs a model: vLLM, SGLang, ATOM, xDiT.
// Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "analysis/pytorch/attention_heads.h"

namespace vizd {

enum class StepPhase : std::uint8_t { kPrefill, kDecode, kMixed, kVerify, kDraft, kIdle, kDiffusion };
inline constexpr std::string_view kStepPhaseNames[] = {"prefill", "decode", "mixed",    "verify",
                                                       "draft",   "idle",   "diffusion"};
constexpr std::string_view step_phase_name(StepPhase phase) { return kStepPhaseNames[static_cast<std::size_t>(phase)]; }

// A count that a name may tell.
using StepCount = std::optional<std::int64_t>;

// The requests of one kind in a step. With N new tokens and M in the cache each, the sums are those of M, N * N and N *
// M.
struct StepShare {
  StepCount requests = {}, tokens = {}, kv = {}, sqsq = {}, sqsk = {};

  bool operator==(const StepShare&) const = default;
};

struct StepName {
  std::string_view spelling;  // "vllm", "sglang", "atom" or "diffusion"
  std::optional<StepPhase> phase = {};
  StepCount requests = {}, padded = {}, tokens = {}, draft_tokens = {};  // padded: to the batch of the graph
  StepShare context = {}, generation = {};                               // requests in prefill, and those in decode

  // Takes from another name what this one does not tell.
  void add(const StepName& other);
  // What attention does in the step, by its sums over requests; none where the name does not tell them.
  std::optional<AttentionSums> attention() const;
};

// None where the name is that of no step.
std::optional<StepName> parse_step_name(std::string_view name);

}  // namespace vizd
