#include "http/routes/store_rows.h"

#include <string>

#include "base/exact_number.h"
#include "query/cell.h"

namespace vizd {
namespace {

void write_stored(JsonWriter& json, const nlohmann::json& value) {
  if (value.is_array()) {
    json.begin_array();
    for (const auto& item : value) write_stored(json, item);
    json.end_array();
  } else if (value.is_string()) {
    json.text(sql::shown_text(value.get_ref<const std::string&>()));
  } else if (value.is_number_unsigned() && value.get<std::uint64_t>() > std::uint64_t{kMostExact}) {
    json.begin_array().text(std::to_string(value.get<std::uint64_t>())).end_array();
  } else if (value.is_number_integer()) {
    const auto number = value.get<std::int64_t>();
    is_exact(number) ? json.number(number) : json.begin_array().text(std::to_string(number)).end_array();
  } else if (value.is_number_float()) {
    json.real(value.get<double>());
  } else if (value.is_boolean()) {
    json.number(value.get<bool>() ? 1 : 0);
  } else {
    json.null();
  }
}

}  // namespace

void write_rows(JsonWriter& json, const store::Answer& answer) {
  json.column("columns", answer.columns, [](JsonWriter& j, const store::AnswerColumn& column) { j.text(column.name); });
  json.key("rows");
  write_stored(json, answer.rows);
}

Response store_error_response(const Error& error) {
  constexpr int kBadGatewayStatus = 502;
  Response response = error_response(error);
  if (error.kind == ErrorKind::kInternal) response.status = kBadGatewayStatus;
  return response;
}

}  // namespace vizd
