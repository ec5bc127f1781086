// Rules about what an allocator told of itself: requests that it had no memory for, and memory that steps leave behind.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>

#include "analysis/allocator/out_of_memory.h"
#include "analysis/allocator/step_leaks.h"
#include "analysis/allocator/step_names.h"
#include "diagnosis/page_place.h"
#include "diagnosis/rules.h"

namespace vizd {
namespace {

constexpr std::uint64_t kLeastLeak_bytes = std::uint64_t{1} << 20;
constexpr std::size_t kFewestLeakSteps = 2;

std::string bytes_text(std::uint64_t bytes) {
  const auto shown = static_cast<double>(bytes);
  return shown >= 1e9 ? fmt::format("{:.2f} GB", shown / 1e9) : fmt::format("{:.1f} MB", shown / 1e6);
}

std::string_view way_out(OomReason reason) {
  switch (reason) {
    case OomReason::kFragmented:
      return "PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True; the view Allocator shows which blocks lie between the "
             "free pieces";
    case OomReason::kOtherPool:
      return "let what asks use the stream and pool that have the room, as one stream for all of it, or one pool for "
             "all CUDA graphs";
    case OomReason::kLimit:
      return "raise the process's limit, torch.cuda.set_per_process_memory_fraction(), or hold less: vizd memory tells "
             "who holds it";
    case OomReason::kTooMuch:
      break;
  }
  return "hold less at that moment: vizd memory tells who holds it; a smaller batch, activation checkpointing, or "
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
  finding.detail =
      fmt::format("{} allocated of {} reserved; {} free in segments, {} of it in one piece{}",
                  bytes_text(static_cast<std::uint64_t>(oom.bytes.allocated)),
                  bytes_text(static_cast<std::uint64_t>(oom.bytes.reserved)), bytes_text(oom.shape.inactive_bytes),
                  bytes_text(oom.shape.largest_free_bytes),
                  oom.device_free_bytes ? ", " + bytes_text(*oom.device_free_bytes) + " on the device" : "");
  finding.share = 1;
  finding.of = "what was asked for";
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
  if (findings.empty()) return Absence{Nothing::kNone, "every request was granted", ""};
  return findings;
}

// What one line leaves in step after step.
struct LineLeak {
  std::uint64_t bytes = 0;
  std::map<std::size_t, std::uint64_t> by_step;
};

// The line that leaves the most, where it does so in most steps: what one step alone keeps is no leak.
std::optional<Finding> leak_of(const Examined& examined, std::uint32_t at, std::string_view steps_begin,
                               const StepLeaks& leaks) {
  const Track& track = examined.profile().tracks[at];
  const AllocatorCurve curve(track);
  const AllocationOwners owners = allocation_owners(examined.capture(), track, curve.changes(), "line");
  std::map<std::uint32_t, LineLeak> lines;
  leaks.for_each([&](std::uint32_t life, std::size_t step) {
    const std::uint64_t size_bytes = track.allocations[life].size_bytes();
    LineLeak& line = lines[owners.of_life[life]];
    line.bytes += size_bytes;
    line.by_step[step] += size_bytes;
  });
  std::erase_if(lines, [&](const auto& line) { return line.second.by_step.size() * 2 <= leaks.judged(); });
  const auto most = std::ranges::max_element(lines, {}, [](const auto& line) { return line.second.bytes; });
  if (most == lines.end() || most->second.bytes < kLeastLeak_bytes) return std::nullopt;
  std::uint64_t all_bytes = 0;
  for (const auto& [owner, line] : lines) all_bytes += line.bytes;
  const std::uint64_t steps = leaks.judged();
  // As JSON, a text or null.
  const std::string& json = owners.names[most->first];
  const std::string line = json.size() > 2 && json.front() == '"' ? json.substr(1, json.size() - 2) : "an unknown line";
  Finding finding;
  finding.title = fmt::format("memory that each step leaves: {} a step", bytes_text(all_bytes / steps));
  finding.detail = fmt::format("in {} of {} steps ({}…), the most by {}", most->second.by_step.size(), steps,
                               shown_name(steps_begin), shown_name(line));
  finding.share =
      static_cast<double>(all_bytes) / static_cast<double>(std::max<std::int64_t>(curve.allocated.bytes, 1));
  finding.of = "the peak of what is allocated";
  finding.next = fmt::format(
      "find what keeps it: a loss kept with its graph, a list that grows, a cache; vizd memory "
      "--leaks {} lists it step by step",
      shown_name(steps_begin));
  finding.evidence = {{fmt::format("memory:{}", at), "who holds it"}, {"view:allocator", "what steps leave"}};
  return finding;
}

RuleAnswer memory_leaks(const Examined& examined) {
  const auto& tracks = examined.profile().tracks;
  std::vector<Finding> findings;
  bool is_told = false, has_steps = false;
  for (std::uint32_t at = 0; at < tracks.size(); ++at) {
    if (tracks[at].allocator == nullptr) continue;
    is_told = true;
    const NamedRanges ranges(examined.capture(), tracks[at].allocator->device);
    const auto names = step_names(ranges);
    if (names.empty() || !names.front().are_steps) continue;
    const StepLeaks leaks(tracks[at], ranges.ends(names.front().name));
    if (leaks.judged() < kFewestLeakSteps) continue;
    has_steps = true;
    if (auto finding = leak_of(examined, at, names.front().name, leaks)) findings.push_back(std::move(*finding));
  }
  if (!is_told) return not_recorded(examined, Recordable::kAllocator);
  if (!has_steps)
    return Absence{Nothing::kNotRecorded, "fewer than four steps are told apart in the snapshot",
                   "name them: with torch.profiler.record_function(f\"step_{i}\"), from PyTorch 2.7 on"};
  if (findings.empty()) return Absence{Nothing::kNone, "no step leaves memory that the next one does not free", ""};
  return findings;
}

constexpr std::array kAllocatorRules{
    DiagnosisRule{"out-of-memory", "requests that no memory was left for", 0, memory_ran_out},
    DiagnosisRule{"memory-leak", "memory that step after step leaves", 0, memory_leaks},
};

}  // namespace

std::span<const DiagnosisRule> allocator_rules() { return kAllocatorRules; }

}  // namespace vizd
