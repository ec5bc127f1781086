#include "derived/kept_replay_lanes.h"

#include <fmt/core.h>

#include "analysis/graph_replay/replay_lanes.h"
#include "base/parallel.h"
#include "timeline/lanes_json.h"

namespace vizd {
namespace {

// No reading of a capture has such a number: what is found in its lanes is kept beside what is found in the capture.
constexpr std::uint64_t kOfLanes = std::uint64_t{1} << 63;

}  // namespace

std::size_t KeptReplayLanes::memory_bytes() const {
  constexpr std::size_t kEventBytes = 24, kArgumentBytes = 4;
  std::size_t bytes = sizeof(*this);
  for (const Track& track : lanes->capture.profile.tracks) {
    bytes += track.events.size() * kEventBytes;
    for (const ArgumentColumn& argument : track.arguments) bytes += argument.size() * kArgumentBytes;
  }
  return bytes;
}

std::shared_ptr<const KeptReplayLanes> make_replay_lanes(const KeptReplays& replays) {
  auto kept = std::make_shared<KeptReplayLanes>();
  auto made = std::make_shared<LoadedCapture>();
  const LoadedCapture& of = *replays.loaded;
  made->id = of.id;
  made->name = of.name;
  made->revision = of.revision | kOfLanes;
  made->unloaded = of.unloaded;
  kept->over = add_replay_lanes(of.capture, replays.ranks(), made->capture);
  made->timeline = prepare_timeline(made->capture, core_count());
  kept->key = fmt::format("{}-{}", key_text(of.timeline), key_text(made->timeline));
  kept->lanes = std::move(made);
  return kept;
}

}  // namespace vizd
