// SqlRowIds: what rows of a query's result stand for, as ids of the capture that they lead into: the tables count
// through all captures that were asked, ids of one count through that one. One thread.
#pragma once

#include <optional>
#include <vector>

#include "cli/command_line/row_ids.h"
#include "query/row_links.h"

namespace vizd {

class SqlRowIds {
 public:
  // ids: of the catalog's captures, in its order. Refers to the catalog.
  SqlRowIds(sql::Catalog& catalog, std::vector<RowIds> ids) : catalog_(catalog), ids_(std::move(ids)) {}

  // None where it leads nowhere.
  RowId of(const std::optional<sql::RowLink>& link) const;

 private:
  RowId of_place(std::string_view kind, const sql::Numbering& numbering, std::uint64_t id) const;
  RowId of_slice(std::uint64_t id) const;
  RowId of_rule(std::uint64_t id) const;
  RowId of_program(std::uint64_t id) const;
  RowId of_time(const sql::RowLink& link) const;

  sql::Catalog& catalog_;
  std::vector<RowIds> ids_;
};

}  // namespace vizd
