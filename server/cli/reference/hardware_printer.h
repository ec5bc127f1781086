// Prints what GPUs recorded of themselves in the words of tinygrad's own command line (viz/cli.py): the counters of a
// run, the packets of a thread trace.
#pragma once

#include <string>
#include <vector>

#include "reference/tinygrad/hardware_steps.h"

namespace vizd {

// A table or a trace, as it is named among the lanes: "r_32_32 PMC", "r_32_32 SQTT SE:1 PKTS".
struct HardwareSource {
  std::string name;  // with its colours
  const HardwareStep* step = nullptr;
};

std::vector<HardwareSource> hardware_sources(const HardwareSteps& hardware);

// A JSON document a line, or lines for people. Errors: what the step's record lacks.
Result<void> print_source(const HardwareSteps& hardware, const HardwareStep& step, bool json);

// {"PROGRAM,RUN,ENGINE": [packet, …], …} of all thread traces.
void print_packets(const hardware::Records& records);

}  // namespace vizd
