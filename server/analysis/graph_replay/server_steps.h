// ServerStep: a step of a server that runs a model: an annotation around the host's forward call. Work belongs to the
// step in which the call that launched it began, for the device runs later. Refers to the capture. Pure.
#pragma once

#include <cstdint>
#include <vector>

#include "analysis/graph_replay/host_events.h"
#include "analysis/graph_replay/step_name.h"

namespace vizd {

struct ServerStep {
  StepName says;
  StringId name{};
  std::uint32_t thread = 0;  // place in HostEvents::threads
  std::int64_t start_ns = 0, end_ns = 0;
};

// By start. Of a step that lies in another on its thread the name tells what that one's does not.
std::vector<ServerStep> find_server_steps(const Capture& capture, const HostEvents& host);

// Finds the step at a moment on a thread: the last that began by then, where it has not ended.
class ServerStepsByThread {
 public:
  ServerStepsByThread(const std::vector<ServerStep>& steps, std::size_t threads);
  // The step's place; kNoId: none.
  std::uint32_t at(std::uint32_t thread, std::int64_t at_ns) const;

 private:
  const std::vector<ServerStep>& steps_;
  std::vector<std::vector<std::uint32_t>> by_thread_;
};

}  // namespace vizd
