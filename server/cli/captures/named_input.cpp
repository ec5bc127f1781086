#include "cli/captures/named_input.h"

#include "analysis/graph_replay/kept_names.h"
#include "cli/command_line/input.h"
#include "derived/naming_sources.h"

namespace vizd {

std::shared_ptr<const LoadedCapture> open_named(const InputSet& set) {
  const std::shared_ptr<LoadedCapture> loaded = open_to_change(set);
  if (!loaded || !may_have_replays(loaded->capture)) return loaded;
  const auto devices = std::make_shared<const DeviceAnalysis>(analyse_devices(loaded->capture));
  const auto replays = find_named_replays(*loaded, devices);
  for (const GraphReplays& rank : replays->ranks) keep_names(loaded->capture, rank);
  return loaded;
}

}  // namespace vizd
