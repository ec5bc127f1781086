#include "query/slice_names.h"

#include "query/cell.h"

namespace vizd::sql {

std::string_view SliceNames::find(StringId name) {
  const std::string_view raw = strings_.get(name);
  std::string_view& text = texts_[index(name)];
  text = is_shown_as_is(raw) && raw.data() != nullptr ? raw : std::string_view(cleaned_.emplace_back(shown_text(raw)));
  return text;
}

std::vector<StringId> SliceNames::shown_as(std::string_view wanted, std::span<const StringId> among) {
  std::vector<StringId> names;
  for (const StringId name : among) {
    if (text(name) == wanted) names.push_back(name);
  }
  return names;
}

}  // namespace vizd::sql
