// JsonCheck: whether a text is JSON by itself, so that it may be written into a trace as it stands. The reader passes
// over nested values unread, and files of other formats may say of any text that it is JSON: what is none would break
// the whole file that it is written into. One thread.
#pragma once

#include <memory>
#include <string_view>
#include <unordered_map>

#include "base/string_table.h"

namespace vizd::chrome_trace {

class JsonCheck {
 public:
  // strings outlives it.
  explicit JsonCheck(const StringTable& strings);
  ~JsonCheck();

  // Each text is looked at once. Control characters and bytes that are no UTF-8 are taken, as the reader takes them.
  bool is_json(StringId text);

 private:
  struct Parser;

  const StringTable& strings_;
  std::unique_ptr<Parser> parser_;
  std::unordered_map<StringId, bool> known_;
};

}  // namespace vizd::chrome_trace
