#include "cli/captures/own_tables.h"

#include <fmt/core.h>

#include <algorithm>

#include "reference/programs.h"

namespace vizd {

Result<std::vector<OwnTable>> own_tables(const InputSet& set, const Capture& capture) {
  const ReferenceProgram& program = reference_program(set.format);
  // Where a program has sheets of its own, these hold what its tables do.
  if (program.own_tables == nullptr || program.add_sheets != nullptr) return std::vector<OwnTable>();
  OpenSet files(set);
  return program.own_tables(files, capture);
}

Result<OwnTable> own_table(const InputSet& set, const Capture& capture, const std::string& name) {
  const ReferenceProgram& program = reference_program(set.format);
  OpenSet files(set);
  auto tables = program.own_tables != nullptr ? program.own_tables(files, capture)
                                              : Result<std::vector<OwnTable>>(std::vector<OwnTable>());
  if (!tables) return std::move(tables).error();
  const auto found = std::ranges::find(*tables, name, &OwnTable::name);
  if (found != tables->end()) return std::move(*found);
  std::string names;
  for (const OwnTable& table : *tables) names += (names.empty() ? "" : ", ") + table.name;
  return Error{ErrorKind::kNotFound,
               names.empty() ? "captures of this format have no tables of their own"
                             : fmt::format("--table {}: no such table; use one of {}", name, names),
               ""};
}

}  // namespace vizd
