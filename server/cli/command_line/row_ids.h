// RowIds: what rows of an answer stand for, as ids (diagnosis/page_place.h), and with --links the links that show these
// on the page of a vizd that serves their capture. Each capture has its own. One thread.
#pragma once

#include <string>
#include <utility>

#include "cli/command_line/records.h"
#include "formats/registry.h"

namespace vizd {

class RowIds {
 public:
  // Ids alone.
  RowIds() = default;
  // With --links looks for the vizd that serves the set, and says on stderr where there is none.
  explicit RowIds(const InputSet& set);

  RowId of(std::string id) const;
  // Only with --links: of rows whose JSON does not tell their ids otherwise.
  RowId of_wanted(std::string id) const { return wants_links() ? of(std::move(id)) : RowId(); }

 private:
  std::string base_;  // what links begin with; "": there are none
};

}  // namespace vizd
