// NamedStack: what is open on a thread, the innermost last, found by its name too: an end closes the innermost open one
// of its name, which need not be the innermost of all. Each step costs the same however much is open. One thread.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/string_table.h"

namespace vizd::chrome_trace {

// For an end without a name, which ends whichever slice is open.
inline constexpr StringId kAnyName{kNoId};

template <typename Item>
class NamedStack {
 public:
  bool empty() const { return open_.empty(); }

  void push(StringId name, const Item& item) {
    if (is_indexed_) places_[name].push_back(open_.size());
    open_.push_back({name, item, false});
  }

  // The innermost of that name; null where none is open.
  const Item* find(StringId name) {
    const std::size_t place = place_of(name);
    return place < open_.size() ? &open_[place].item : nullptr;
  }

  // Takes away what find() has found.
  void pop(StringId name) {
    const std::size_t place = place_of(name);
    if (is_indexed_) places_[open_[place].name].pop_back();
    open_[place].is_closed = true;
    while (!open_.empty() && open_.back().is_closed) open_.pop_back();
  }

  // Calls visit(name, item) of what is open, the outermost first.
  template <typename Visit>
  void for_each(Visit&& visit) const {
    for (const Open& open : open_) {
      if (!open.is_closed) visit(open.name, open.item);
    }
  }

 private:
  struct Open {
    StringId name;
    Item item;
    bool is_closed;  // but one that is further in is not
  };

  std::size_t place_of(StringId name) {
    if (open_.empty()) return 0;
    if (name == kAnyName || open_.back().name == name) return open_.size() - 1;
    if (!is_indexed_) {
      is_indexed_ = true;
      for (std::size_t i = 0; i < open_.size(); ++i) {
        if (!open_[i].is_closed) places_[open_[i].name].push_back(i);
      }
    }
    const auto found = places_.find(name);
    return found == places_.end() || found->second.empty() ? open_.size() : found->second.back();
  }

  std::vector<Open> open_;
  // By name, of those that are open; made once an end asks for one that is not the innermost.
  std::unordered_map<StringId, std::vector<std::size_t>> places_;
  bool is_indexed_ = false;
};

}  // namespace vizd::chrome_trace
