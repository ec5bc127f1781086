// Rules about what an allocator told of itself: requests that it had no memory for, and memory that steps leave behind.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "analysis/allocator/out_of_memory.h"
#include "analysis/allocator/step_leaks.h"
#include "base/amount_text.h"
#include "base/clean_text.h"
#include "diagnosis/page_place.h"
#include "diagnosis/rules.h"

namespace vizd {
namespace {

constexpr std::uint64_t kLeastLeak_bytes = std::uint64_t{1} << 20;
constexpr std::size_t kFewestSureSteps = 2;

std::string_view way_out(OomReason reason) {
  switch (reason) {
    case OomReason::kFragmented:
      return "PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True; the view Allocator shows which blocks are between the "
             "free pieces";
    case OomReason::kOtherPool:
      return "make the request on the stream and pool that have the room: one stream for all of it, or one pool for "
             "all CUDA graphs";
    case OomReason::kLimit:
      return "raise the process's limit, torch.cuda.set_per_process_memory_fraction(), or hold less: vizd memory shows "
             "who holds it";
    case OomReason::kTooMuch:
      break;
  }
  return "hold less at that moment: vizd memory shows who holds it; use a smaller batch, activation checkpointing, or "
         "parameters split among devices";
}

// The first time that a memory ran out, which is the one that a person meets.
std::optional<Finding> ran_out(const Examined& examined, std::uint32_t at) {
  const Track& track = examined.profile().tracks[at];
  const AllocatorLog& log = *track.allocator;
  const std::vector<AllocatorMoment> moments = moments_out_of_memory(log);
  if (moments.empty()) return std::nullopt;
  const OutOfMemory oom = out_of_memory(track, AllocatorStates(track), moments.front());
  const std::uint64_t times = moments.size();
  Finding finding;
  finding.title = fmt::format("out of memory {}: {}{}, {}", times_text(times), times == 1 ? "" : "first ",
                              bytes_text(oom.asked_bytes), oom_reason_text(oom.reason));
  finding.detail = fmt::format(
      "{} allocated of {} reserved; {} free in segments, {} of it in one piece{}", bytes_text(oom.bytes.allocated),
      bytes_text(oom.bytes.reserved), bytes_text(oom.shape.inactive_bytes), bytes_text(oom.shape.largest_free_bytes),
      oom.device_free_bytes ? ", " + bytes_text(*oom.device_free_bytes) + " on the device" : "");
  finding.share = 1;
  finding.of = "the request";
  finding.next = way_out(oom.reason);
  finding.evidence = {{fmt::format("memory:{}", at), "who holds it"}};
  const std::int64_t at_ns = log.entries.at_ns[oom.moment - 1];
  if (log.has_times) finding.evidence.push_back({time_id(examined.profile(), at_ns, at_ns), "when"});
  return finding;
}

RuleAnswer memory_ran_out(const Examined& examined) {
  const auto& tracks = examined.profile().tracks;
  std::vector<Finding> findings;
  bool is_told = false;
  for (std::uint32_t track = 0; track < tracks.size(); ++track) {
    if (tracks[track].allocator == nullptr) continue;
    is_told = true;
    if (auto finding = ran_out(examined, track)) findings.push_back(std::move(*finding));
  }
  if (!is_told) return not_recorded(examined, Recordable::kAllocator);
  if (findings.empty()) return Absence{Nothing::kNone, "no request failed", ""};
  return findings;
}

// Reports the leaks in the words of `vizd memory`; none where no line leaks in most steps.
std::optional<Finding> leak_of(const Examined& examined, std::uint32_t at, const StepLeakSums& leaks) {
  if (!leaks.are_steps || !leaks.is_by_most_steps() || leaks.sum.block_bytes < kLeastLeak_bytes) return std::nullopt;
  const std::int64_t peak_bytes = AllocatorCurve(examined.profile().tracks[at]).allocated.bytes;
  Finding finding;
  finding.title = fmt::format("memory that each step leaves allocated: {} a step", leaks.size_text());
  finding.detail = one_line(leaks.text(), false);
  finding.share =
      static_cast<double>(leaks.sum.block_bytes) / static_cast<double>(std::max<std::int64_t>(peak_bytes, 1));
  finding.of = "the peak of allocated memory";
  // One step may only have made what lasts.
  finding.sure = leaks.judged < kFewestSureSteps ? Sureness::kLikely : Sureness::kMeasured;
  finding.next = fmt::format(
      "find what keeps it: a loss kept with its graph, a growing list, a cache; vizd memory --leaks {} lists it step "
      "by step",
      shown_name(leaks.steps_begin));
  finding.evidence = {{fmt::format("memory:{}", at), "what steps leave allocated"},
                      {"view:allocator", "what steps leave"}};
  return finding;
}

RuleAnswer memory_leaks(const Examined& examined) {
  const auto& tracks = examined.profile().tracks;
  std::vector<Finding> findings;
  bool is_told = false, has_steps = false;
  std::string told;
  for (std::uint32_t at = 0; at < tracks.size(); ++at) {
    if (tracks[at].allocator == nullptr) continue;
    is_told = true;
    const auto leaks = sum_step_leaks(examined.capture(), tracks[at]);
    if (!leaks) continue;
    has_steps = true;
    told = one_line(leaks->text(), false);
    if (auto finding = leak_of(examined, at, *leaks)) findings.push_back(std::move(*finding));
  }
  if (!is_told) return not_recorded(examined, Recordable::kAllocator);
  if (!has_steps)
    return Absence{Nothing::kNotRecorded, "the snapshot has fewer than three steps",
                   "mark them: with torch.profiler.record_function(f\"step_{i}\"), from PyTorch 2.7 on"};
  if (findings.empty()) return Absence{Nothing::kNone, told, ""};
  return findings;
}

constexpr std::array kAllocatorRules{
    DiagnosisRule{"out-of-memory", "requests that failed because memory ran out", 0, memory_ran_out},
    DiagnosisRule{"memory-leak", "memory that step after step leaves allocated", 0, memory_leaks},
};

}  // namespace

std::span<const DiagnosisRule> allocator_rules() { return kAllocatorRules; }

}  // namespace vizd
