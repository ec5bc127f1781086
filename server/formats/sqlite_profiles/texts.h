// NumberedTexts: a table of texts that rows refer to by number, read before the rows that use it. A text goes into the
// capture only where a row shows it: such tables also hold environment variables, paths and hosts. One thread.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "formats/sqlite_profiles/database.h"

namespace vizd::sqlite_profiles {

class NumberedTexts {
 public:
  NumberedTexts() = default;
  // Rows of the table with a number and a text; of equal numbers the last row counts.
  NumberedTexts(ProfileDatabase& database, std::string_view table, std::string_view number, std::string_view text) {
    database.each_row(table, {number, text}, [&](const Row& row) {
      const Number key = row.whole(0);
      auto value = row.text(1);
      if (key && value) texts_.emplace_back(*key, std::move(*value));
    });
    std::ranges::stable_sort(texts_, {}, &std::pair<std::int64_t, std::string>::first);
  }

  // Null where there is none.
  const std::string* find(std::int64_t number) const {
    const auto after = std::ranges::upper_bound(texts_, number, {}, &std::pair<std::int64_t, std::string>::first);
    return after == texts_.begin() || (after - 1)->first != number ? nullptr : &(after - 1)->second;
  }
  // "[string N]" where there is none.
  std::string text(std::int64_t number) const {
    const std::string* const found = find(number);
    return found != nullptr ? *found : "[string " + std::to_string(number) + "]";
  }

 private:
  std::vector<std::pair<std::int64_t, std::string>> texts_;
};

}  // namespace vizd::sqlite_profiles
