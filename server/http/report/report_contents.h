// The contents of a report: which questions of the page are answered in it, the most wanted first, and whole levels
// before finer ones. Two files ask: about the profile, and about what a compiler did.
#pragma once

#include "http/report/report_packer.h"
#include "session/loaded_capture.h"

namespace vizd {

// What the page cannot begin without. False where not even that has room.
bool pack_session(ReportPacker& packer, const LoadedCapture& loaded);

// Lanes, tables and figures of the whole profile, its memory, and its timeline as finely as has room in half of what
// is left.
void pack_profile(ReportPacker& packer, const LoadedCapture& loaded);
// The same tables for each rank, device and step, and each event and allocation by itself.
void pack_profile_details(ReportPacker& packer, const LoadedCapture& loaded);

// A pass whose graph a report has.
struct PackedPass {
  std::size_t context = 0;
  std::uint32_t pass = 0;  // in its context
  std::uint32_t matches = 0;
  std::uint32_t nodes = 0;  // that it ever had
};

// Rules, programs and the graphs of passes: of each context the first and the last before all others.
std::vector<PackedPass> pack_rewrites(ReportPacker& packer, const LoadedCapture& loaded);
// What is told of each match and each node of those.
void pack_rewrite_details(ReportPacker& packer, const LoadedCapture& loaded, const std::vector<PackedPass>& passes);

}  // namespace vizd
