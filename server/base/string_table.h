// StringTable: each distinct string once, known by a 32-bit id; ids count up from 0 in order of first use, and 0 is "".
// Owns its bytes; views stay valid for the table's life. Not thread-safe while strings are added; reading is.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>

#include "base/hash_index.h"
#include "base/ids.h"

namespace vizd {

enum class StringId : std::uint32_t {};

class StringTable {
 public:
  StringTable() { add(""); }
  StringTable(const StringTable&) = delete;
  StringTable& operator=(const StringTable&) = delete;

  StringId add(std::string_view text);
  // The id of text, or kNoId as an id where it was never added.
  StringId find(std::string_view text) const;
  std::string_view get(StringId id) const { return strings_[index(id)]; }
  std::size_t size() const { return strings_.size(); }

 private:
  std::deque<std::string> strings_;  // a deque, so that views survive growth
  HashIndex index_;
};

}  // namespace vizd
