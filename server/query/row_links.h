// RowLinks: where a row of a result leads in the page: to a slice, a match, a node, a pass, a rule, a context, a
// program or a time. Known by the columns: by what table they come from, else by what they are called. One thread.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "query/catalog.h"
#include "query/database.h"

namespace vizd::sql {

enum class LinkKind { kSlice, kMatch, kNode, kPass, kRule, kContext, kProgram, kTime };

// The place that a row leads to, by its table's id; of a time when and how long, on the clock of the capture that the
// row names, by its capture_id or its track_id.
struct RowLink {
  LinkKind kind = LinkKind::kTime;
  std::int64_t id = 0;
  std::int64_t ts = 0, dur = 0;
  std::optional<std::int64_t> capture = {}, track = {};
};

class RowLinks {
 public:
  explicit RowLinks(const std::vector<ResultColumn>& columns);

  // None where the row leads nowhere. What it names need not be there.
  std::optional<RowLink> of(const std::vector<Value>& row) const;

 private:
  struct Way {
    LinkKind kind;
    std::size_t column;
  };
  std::vector<Way> ways_;  // the best first
  std::optional<std::size_t> ts_, dur_, capture_, track_;
};

}  // namespace vizd::sql
