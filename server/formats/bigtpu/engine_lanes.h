// EngineLane: a track of a TPU's engine in a capture, and what its events' arguments say of the commands: for tables
// that are made of captures, whatever file they were read from. Refers to the capture. One thread.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "formats/bigtpu/chip.h"
#include "model/capture.h"

namespace vizd::bigtpu {

struct EngineLane {
  std::uint32_t track = 0;
  std::string device;
  std::int64_t core = -1;  // -1: a port, whose commands say which core gave them
  std::int64_t port = -1;
  Engine engine = Engine::kTiu;

  // bigTpuProfile's number of the engine.
  int number() const {
    return engine == Engine::kTiu ? 0 : engine == Engine::kGdma ? 1 : engine == Engine::kSdma ? 3 : 4;
  }
};

// In the order of the tracks.
std::vector<EngineLane> engine_lanes(const Capture& capture);

class LaneCommands {
 public:
  LaneCommands(const Capture& capture, const EngineLane& lane);

  std::size_t size() const { return events_.size(); }
  std::string_view name(std::size_t i) const { return strings_.get(events_.name(i)); }
  std::string_view type(std::size_t i) const { return strings_.get(events_.category(i)); }
  // Whether it did work, and was no message between engines.
  bool is_working(std::size_t i) const { return events_.kind(i) == EventKind::kSpan; }
  bool is_wait(std::size_t i) const { return !is_working(i) && name(i).find("wait") != std::string_view::npos; }
  std::int64_t start_cycle(std::size_t i) const;
  std::int64_t cycles(std::size_t i) const;
  std::int64_t start_ns(std::size_t i) const { return events_.start_ns(i); }
  // When its last cycle began, which is its end as bigTpuProfile has it.
  std::int64_t last_ns(std::size_t i) const;
  // Its number as bigTpuProfile shows it, from 1; ports count from 1 themselves.
  std::optional<std::int64_t> id(std::size_t i) const;

  std::optional<ArgumentValue> value(std::size_t i, std::string_view argument) const;
  std::int64_t integer(std::size_t i, std::string_view argument) const;  // 0 where it is not there
  std::string_view text(std::size_t i, std::string_view argument) const;

 private:
  const StringTable& strings_;
  const EventColumns& events_;
  std::map<std::string_view, const ArgumentColumn*> columns_;  // by name
  const std::int64_t first_id_;
  const double hertz_;
};

}  // namespace vizd::bigtpu
