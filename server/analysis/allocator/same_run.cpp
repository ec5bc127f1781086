#include "analysis/allocator/same_run.h"

#include <algorithm>
#include <charconv>
#include <string>

#include "base/ascii_case.h"
#include "model/allocator_log.h"

namespace vizd {
namespace {

// The number after the last "rank" of a name, whatever stands between them but letters and digits.
std::optional<std::uint32_t> rank_in(std::string_view name) {
  const std::string small = ascii_lower(name);
  const auto word = small.rfind("rank");
  if (word == std::string::npos) return std::nullopt;
  const auto digits = small.find_first_not_of("_-.= []()", word + 4);
  if (digits == std::string::npos) return std::nullopt;
  std::uint32_t rank = 0;
  const auto [end, problem] = std::from_chars(small.data() + digits, small.data() + small.size(), rank);
  return problem == std::errc() ? std::optional(rank) : std::nullopt;
}

}  // namespace

std::optional<RunPart> run_part(const Capture& capture, std::string_view name) {
  const Profile& profile = capture.profile;
  if (!profile.clock.unix_offset_ns || profile.end_ns <= profile.start_ns) return std::nullopt;
  const auto is_log = [](const Track& track) { return track.allocator != nullptr; };
  const auto first_log = std::ranges::find_if(profile.tracks, is_log);
  const bool is_memory = first_log != profile.tracks.end();
  if (is_memory && !first_log->allocator->has_times) return std::nullopt;
  const auto has_work = [](const Track& track) { return track.kind != TrackKind::kOther && track.events.size() > 0; };
  if (is_memory == std::ranges::any_of(profile.tracks, has_work)) return std::nullopt;
  return RunPart{.is_memory = is_memory,
                 .from_ns = profile.start_ns + *profile.clock.unix_offset_ns,
                 .to_ns = profile.end_ns + *profile.clock.unix_offset_ns,
                 .rank = rank_in(name)};
}

bool are_of_one_run(const RunPart& a, const RunPart& b) {
  if (a.is_memory == b.is_memory || a.to_ns < b.from_ns || b.to_ns < a.from_ns) return false;
  return !a.rank || !b.rank || *a.rank == *b.rank;
}

}  // namespace vizd
