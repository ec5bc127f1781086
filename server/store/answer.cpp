#include "store/answer.h"

#include <fmt/format.h>

#include "base/parse_json.h"

namespace vizd::store {

Error not_clickhouse(const StoreAddress& address, std::string_view why) {
  return {ErrorKind::kInternal, fmt::format("answers like no ClickHouse: {}", why), address.text()};
}

Result<Answer> ask_rows(Client& client, std::string_view sql, const Limits& limits) {
  auto text = client.ask(fmt::format("{}\nFORMAT JSONCompact", sql), limits);
  if (!text) return std::move(text).error();
  auto json = parse_json(*text);
  const Error strange = not_clickhouse(client.address(), "its JSON cannot be read");
  const auto has_array = [&](const char* key) { return json.contains(key) && json[key].is_array(); };
  if (!json.is_object() || !has_array("meta") || !has_array("data")) return strange;
  Answer answer;
  for (const auto& column : json["meta"]) {
    AnswerColumn& added = answer.columns.emplace_back();
    const auto take = [&](const char* key, std::string& to) {
      return column.contains(key) && take_value(column[key], to);
    };
    if (!column.is_object() || !take("name", added.name) || !take("type", added.type)) return strange;
  }
  for (const auto& row : json["data"]) {
    if (!row.is_array() || row.size() != answer.columns.size()) return strange;
  }
  answer.rows = std::move(json["data"]);
  return answer;
}

}  // namespace vizd::store
