#include "base/string_table.h"

namespace vizd {

StringId StringTable::add(std::string_view text) {
  if (const auto found = ids_.find(text); found != ids_.end()) return found->second;
  const auto id = to_id<StringId>(strings_.size());
  ids_.emplace(strings_.emplace_back(text), id);
  return id;
}

StringId StringTable::find(std::string_view text) const {
  const auto found = ids_.find(text);
  return found == ids_.end() ? StringId{kNoId} : found->second;
}

}  // namespace vizd
