#include "base/string_table.h"

#include <functional>

namespace vizd {
namespace {

std::uint32_t hash_text(std::string_view text) {
  const std::size_t hash = std::hash<std::string_view>()(text);
  return static_cast<std::uint32_t>(hash) ^ static_cast<std::uint32_t>(hash >> 32);
}

}  // namespace

StringId StringTable::add(std::string_view text) {
  const std::uint32_t hash = hash_text(text);
  const std::uint32_t found = index_.find(hash, [&](std::uint32_t i) { return strings_[i] == text; });
  if (found != HashIndex::kNone) return to_id<StringId>(found);
  const auto id = to_id<StringId>(strings_.size());
  strings_.emplace_back(text);
  index_.add(hash, static_cast<std::uint32_t>(id));
  return id;
}

StringId StringTable::find(std::string_view text) const {
  return StringId{index_.find(hash_text(text), [&](std::uint32_t i) { return strings_[i] == text; })};
}

}  // namespace vizd
