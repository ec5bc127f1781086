#include "cli/captures/own_tables.h"

#include <fmt/core.h>

#include <algorithm>

#include "reference/programs.h"

namespace vizd {

Result<std::vector<OwnTable>> own_tables(const InputSet& set, const Capture& capture) {
  const ReferenceProgram& program = reference_program(set.format);
  if (program.own_tables == nullptr) return std::vector<OwnTable>();
  OpenSet files(set);
  return program.own_tables(files, capture);
}

Result<OwnTable> own_table(const InputSet& set, const Capture& capture, const std::string& name) {
  auto tables = own_tables(set, capture);
  if (!tables) return std::move(tables).error();
  const auto found = std::ranges::find(*tables, name, &OwnTable::name);
  if (found != tables->end()) return std::move(*found);
  std::string names;
  for (const OwnTable& table : *tables) names += (names.empty() ? "" : ", ") + table.name;
  return Error{ErrorKind::kNotFound,
               names.empty() ? "captures of this format have no tables of their own"
                             : fmt::format("--table {}: there is none such; take one of {}", name, names),
               ""};
}

}  // namespace vizd
