// What a file of the user's says about delegates: rules, a line each, of events by their names or by their delegates'.
// Pure functions over plain data.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace vizd::etdump {

// A line `NAME = TEXT`.
struct DelegateRule {
  std::string place;  // FILE:LINE
  std::string name, text;

  // Whether it speaks of an event: NAME is its name or its delegate's, and a * in it stands for any text.
  bool fits(std::string_view event, const std::optional<std::string>& delegate) const;
  Error refuse(std::string_view why) const;
};

// The file's lines, without those that are empty or begin with #. Errors: it cannot be read; it has a line without `=`,
// of which form says how to write it.
Result<std::vector<DelegateRule>> read_rules(std::string_view path, std::string_view form);

}  // namespace vizd::etdump
