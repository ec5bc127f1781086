// Unrecorded: of the tables that a query read, those of which captures tell nothing: an empty result, or a count of 0,
// does not mean that there was none. Which table needs what is said here, once. One thread.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/recorded/recordable.h"
#include "query/catalog.h"

namespace vizd::sql {

struct Unrecorded {
  std::vector<std::string> tables;   // that lack the same thing
  Absence absence;                   // of the first of the captures
  std::vector<std::size_t> sources;  // the captures, where others do tell of it; else empty

  // "oom, segment: not recorded: …", with the captures' names where others do.
  std::string text(const Catalog& catalog) const;
};

// What the table's rows are made of; none: every capture has it, or tells it otherwise.
std::optional<Recordable> need_of_table(std::string_view table);

// tables: that the query read. Where the result has rows, only of those that no capture tells anything of.
std::vector<Unrecorded> find_unrecorded(const Catalog& catalog, const std::set<std::string>& tables, bool has_rows);

}  // namespace vizd::sql
