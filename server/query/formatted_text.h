// What SQL's printf() makes of a format. SQLite's own takes as long as a width or a precision says, beyond what any
// text may have; here the work of all parts together is limited.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

struct sqlite3_value;

namespace vizd::sql {

// None where it is longer than so many bytes, or takes as much work as a text of a few times that.
std::optional<std::string> formatted_text(std::string_view format, std::span<sqlite3_value*> values,
                                          std::size_t most_bytes);

}  // namespace vizd::sql
