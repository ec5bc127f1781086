// Executions: the events that are a context at work, not its making, and how long those of each program run. Any
// thread; the capture is only read.
#pragma once

#include <cstdint>
#include <vector>

#include "analysis/figures/figures.h"
#include "model/capture.h"
#include "timeline/timeline.h"

namespace vizd {

struct Executions {
  std::vector<EventPlace> places;  // the longest first
  Figures figures;                 // of them all, whole; count 0: there is none
};

// Counts events with the context's own name ("compile E_4" is E_4's making); if none has it, all that lead to the
// context. O(events).
Executions executions_of_context(const Capture& capture, const Timeline& timeline, std::uint32_t context);

// Counts events in lanes of the device that the context's program is for. The context made a program. O(events).
Executions executions_of_program(const Capture& capture, const Timeline& timeline, std::uint32_t context);

// For a program that no context made: counts the events of its name, without colours, in lanes of its device.
// O(events).
Executions executions_of_name(const Capture& capture, const Timeline& timeline, std::uint32_t program);

struct ProgramFigures {
  std::uint32_t program = 0;        // in Rewrites::programs
  std::uint32_t context = kNoId;    // that made it, where one did
  Figures figures = {};             // as the two above have them; count 0: it never ran
  std::int64_t device_busy_ns = 0;  // in which anything runs in lanes of its device, summed over them
};

// Returns the figures of all programs: by context, then those that none made. One walk over the events.
std::vector<ProgramFigures> program_figures(const Capture& capture, const Timeline& timeline);

}  // namespace vizd
