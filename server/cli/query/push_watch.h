// vizd push --watch: pushes each trace that programs leave in a folder, as its rank of the job of its step, until the
// program is told to end.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "cli/command_line/inputs.h"
#include "cli/query/rank_push.h"

namespace vizd {

struct WatchedPushes {
  std::string folder;
  InputArguments read_as;              // settings of formats
  std::uint32_t rank = kRankNotGiven;  // of traces that say none themselves
  std::chrono::milliseconds settle;
  store::PushOptions options;  // the job without the step, and no rank
};

// prepare: readies the store, before the first push and now and then; asked again while the store is not there.
using PrepareStore = std::function<Result<void>(const store::Store& store)>;
int push_watched(const store::Store& store, const WatchedPushes& pushes, const PrepareStore& prepare);

// The rank and the step that a trace is of: those that it has recorded; else those of its path, such as
// "iteration_200/rank3.json".
std::optional<std::uint32_t> rank_of_trace(const Capture& capture, const std::string& path);
std::optional<std::int64_t> step_of_trace(const Capture& capture, const std::string& path);

}  // namespace vizd
