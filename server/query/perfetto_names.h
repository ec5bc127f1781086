// What queries that were written for Perfetto go by beside the tables: its views and functions, each made of vizd's
// tables when a query names it, and the modules of its library that hold them. Constants.
#pragma once

#include <span>
#include <string_view>

namespace vizd::sql {

struct PerfettoName {
  std::string_view name;
  std::string_view module;      // of Perfetto's library; "": it is there without one
  std::string_view about;       // of a function with its arguments before it
  std::string_view definition;  // a statement of Perfetto's SQL

  constexpr bool is_view() const { return definition.starts_with("CREATE VIEW"); }
};
std::span<const PerfettoName> perfetto_names();

// Whether INCLUDE PERFETTO MODULE finds that: a module whose names are all here, or more of them under a star.
bool has_module(std::string_view module);

}  // namespace vizd::sql
