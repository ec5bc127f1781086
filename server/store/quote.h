// Values and names as they stand in ClickHouse's SQL. ClickHouse 18.16 takes no parameters over HTTP, so whatever comes
// from a user goes through here, and nothing else makes SQL of it. Any thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace vizd::store {

// 'TEXT', whatever is in it.
std::string sql_text(std::string_view text);
// `NAME`, whatever is in it.
std::string sql_name(std::string_view name);

}  // namespace vizd::store
