// OwnJson: the small objects that vizd's writer leaves in a Perfetto trace, what tracks and facts are that Perfetto has
// no field for. Other writers' text may stand there too. simdjson reads them, which asks for no memory when it is given
// back: a lack of it is an error of the reading then, and not the end of the program. One thread.
#pragma once

#include <simdjson.h>

#include <optional>
#include <string_view>

#include "base/string_table.h"
#include "model/arguments.h"

namespace vizd::perfetto {

class OwnJson {
 public:
  // Anything but an object has no members. Throws bad_alloc.
  explicit OwnJson(std::string_view text);

  bool has(std::string_view key) const { return member(key).has_value(); }
  // A member that is a text; that is a number of int64; none else.
  std::optional<std::string_view> text(std::string_view key) const;
  std::optional<std::int64_t> integer(std::string_view key) const;
  // A number or a text as it is, all else as its JSON; none where there is no such member.
  std::optional<ArgumentValue> value(std::string_view key, StringTable& strings) const;

 private:
  std::optional<simdjson::dom::element> member(std::string_view key) const;

  simdjson::dom::parser parser_;
  std::optional<simdjson::dom::object> object_;
};

}  // namespace vizd::perfetto
