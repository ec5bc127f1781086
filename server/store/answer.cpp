#include "store/answer.h"

#include <fmt/format.h>

namespace vizd::store {

Result<Answer> ask_rows(Client& client, std::string_view sql, const Limits& limits) {
  auto text = client.ask(fmt::format("{}\nFORMAT JSONCompact", sql), limits);
  if (!text) return std::move(text).error();
  auto json = nlohmann::json::parse(*text, nullptr, false);
  const Error strange{ErrorKind::kInternal, "answers like no ClickHouse: its JSON cannot be read",
                      client.address().text()};
  if (!json.is_object() || !json.contains("meta") || !json.contains("data") || !json["data"].is_array()) return strange;
  Answer answer;
  for (const auto& column : json["meta"]) {
    if (!column.is_object() || !column.contains("name") || !column["name"].is_string()) return strange;
    answer.columns.push_back({column["name"].get<std::string>(), column.value("type", "")});
  }
  for (const auto& row : json["data"]) {
    if (!row.is_array() || row.size() != answer.columns.size()) return strange;
  }
  answer.rows = std::move(json["data"]);
  return answer;
}

}  // namespace vizd::store
