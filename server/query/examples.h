// The queries that vizd offers: each a question that someone asks of a capture. docs/sql.md has them too.
#pragma once

#include <span>
#include <string_view>

namespace vizd::sql {

struct Example {
  std::string_view question;
  std::string_view query;
};

std::span<const Example> examples();

}  // namespace vizd::sql
