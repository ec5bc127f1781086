// SliceNames: names of events as tables show them, each cleaned once, and the order of events by name. One thread.
#pragma once

#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "model/capture.h"

namespace vizd::sql {

class SliceNames {
 public:
  explicit SliceNames(const StringTable& strings) : strings_(strings), texts_(strings.size()) {}

  // Lives as long as this.
  std::string_view text(StringId name) {
    std::string_view& text = texts_[index(name)];
    return text.data() != nullptr ? text : find(name);
  }
  // The names that are shown as that.
  std::vector<StringId> shown_as(std::string_view text, std::span<const StringId> among);

 private:
  std::string_view find(StringId name);

  const StringTable& strings_;
  std::vector<std::string_view> texts_;  // by name; without data: not yet known
  std::deque<std::string> cleaned_;
};

}  // namespace vizd::sql
