// A program's machine code and its analysis as API.md has them (GET /api/v1/program/CONTEXT/code and /analysis), and
// how its blocks are laid out. Pure; any thread.
#pragma once

#include <string>

#include "derived/program_codes.h"

namespace vizd {

std::string code_json(const ProgramCode& code);
std::string analysis_json(const MachineAnalysis& analysis, std::uint32_t first);

}  // namespace vizd
