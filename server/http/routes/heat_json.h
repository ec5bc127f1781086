// Where the cycles of a program's waves went, as API.md has it (GET /api/v1/program/CONTEXT/heat). Pure; any thread.
#pragma once

#include <optional>
#include <string>

#include "derived/recorded_program.h"

namespace vizd {

// run, wave: one of RecordedProgram::runs, one of those waves; nothing: all. Errors: there is no such one.
Result<std::string> heat_json(const RecordedProgram& recorded, std::optional<std::uint32_t> run,
                              std::optional<std::uint32_t> wave);

}  // namespace vizd
