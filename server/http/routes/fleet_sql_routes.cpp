// GET /api/v1/fleet/sql and /api/v1/fleet/schema: questions to a store in its own SQL, and what there is to ask about.
#include <fmt/format.h>

#include <array>
#include <chrono>
#include <deque>

#include "base/json_writer.h"
#include "http/routes/routes.h"
#include "http/routes/store_rows.h"
#include "http/transport/query.h"
#include "query/cell.h"
#include "query/result_text.h"
#include "store/fleet.h"
#include "store/questions.h"
#include "store/schema.h"

namespace vizd {
namespace {

constexpr std::int64_t kUsualStoreRows = 1000, kMostStoreRows = 100'000, kMostStoreTextRows = 1'000'000;

// Functions that questions need and that SQLite lacks, or has under other names.
struct StoreFunction {
  std::string_view call, about;
};
constexpr std::array kStoreFunctions{
    StoreFunction{"count()", "How many rows there are"},
    StoreFunction{"countIf(condition)", "How many rows satisfy it; every aggregate has such an -If"},
    StoreFunction{"uniqExact(x)", "How many different values there are"},
    StoreFunction{"quantileExact(level)(x)", "The value that this share of them is below: 0.5 is the median"},
    StoreFunction{"quantilesExact(level, …)(x)", "Several of these at once, as an array"},
    StoreFunction{"argMax(x, y)", "x of the row with the greatest y; argMin with the least"},
    StoreFunction{"any(x)", "x of any row"},
    StoreFunction{"groupArray(x)", "All of them, as an array"},
    StoreFunction{"arrayJoin(array)", "A row for each value"},
    StoreFunction{"arrayCumSum(array)", "Running sums up to each value"},
    StoreFunction{"ifNull(x, y)", "x, or y if x is null"},
    StoreFunction{"intDiv(x, y)", "x / y as a whole number"},
    StoreFunction{"toString(x)", "x as a text"},
    StoreFunction{"match(text, pattern)", "Whether a regular expression matches somewhere in it"},
};

// A cell of the store's as the text writers take it; texts holds what it points into.
sql::Value stored_cell(const nlohmann::json& cell, std::deque<std::string>& texts) {
  if (cell.is_null()) return {};
  if (cell.is_number_float()) return cell.get<double>();
  if (cell.is_boolean()) return std::int64_t{cell.get<bool>()};
  const bool is_large = cell.is_number_unsigned() && cell.get<std::uint64_t>() > std::uint64_t{INT64_MAX};
  if (cell.is_number_integer() && !is_large) return cell.get<std::int64_t>();
  texts.push_back(cell.is_string() ? sql::shown_text(cell.get_ref<const std::string&>())
                                   : cell.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
  return std::string_view(texts.back());
}

Response stored_text(const store::Answer& answer, sql::TextFormat format) {
  std::string text;
  sql::TextSink sink(format, UINT64_MAX, [&](std::string_view line) { text += line; });
  std::vector<sql::ResultColumn> columns;
  for (const store::AnswerColumn& column : answer.columns)
    columns.push_back({.name = column.name, .table = {}, .column = {}});
  sink.begin(columns);
  for (const auto& row : answer.rows) {
    std::deque<std::string> texts;
    std::vector<sql::Value> values;
    for (const auto& cell : row) values.push_back(stored_cell(cell, texts));
    sink.add(values);
  }
  sink.end();
  Response response;
  response.content_type = sql::content_type(format);
  response.body = std::make_shared<const Body>(std::move(text));
  return response;
}

// As /api/v1/sql answers. Where its rows lead is for the page to know, which knows the job.
Response store_answer(const Request& request, const Services& services) {
  const std::string_view format_name = request.parameter("format").value_or("table");
  const auto format = sql::text_format(format_name);
  if (!format && format_name != "table")
    return error_response(
        {ErrorKind::kBadInput, "no such format; use table, csv, tsv or json", std::string(format_name.substr(0, 40))});
  const std::int64_t most = format ? kMostStoreTextRows : kMostStoreRows;
  const auto limit = parse_number(request, "limit", 1, most, format ? most : kUsualStoreRows);
  if (!limit) return error_response(limit.error());
  const auto place = services.waiting_for_store->enter();
  if (!place) return error_response(place.error());
  const auto turn = services.from_store->begin(request);
  if (!turn) return error_response(turn.error());
  const auto began = std::chrono::steady_clock::now();
  const auto answer = store::ask_query(services.store->for_as_long_as(request.left),
                                       request.parameter("q").value_or(""), static_cast<std::uint64_t>(*limit));
  if (!answer) return store_error_response(answer.error());
  if (format) return stored_text(answer->answer, *format);
  std::string text;
  JsonWriter json(text);
  json.begin_object();
  write_rows(json, answer->answer);
  json.key("whole").boolean(answer->is_whole);
  const auto took = std::chrono::steady_clock::now() - began;
  json.key("took_us").number(std::chrono::duration_cast<std::chrono::microseconds>(took).count()).end_object();
  return Response::json(std::move(text));
}

void write_stored_column(JsonWriter& json, std::string_view name, std::string_view about) {
  json.begin_object().key("name").text(name).key("about").text(about).end_object();
}

// The tables as they are stored, and the twelve questions as they are asked of the job.
std::string store_schema(const std::string& job) {
  std::string text;
  JsonWriter json(text);
  json.begin_object().column("tables", store::stored_tables(), [](JsonWriter& j, const store::StoredTable& table) {
    j.begin_object().key("name").text(table.name).key("about").text(table.about);
    j.key("columns").begin_array();
    write_stored_column(j, "job", "push.job: the job of the rank");
    write_stored_column(j, "rank", "push.rank; ids are unique within a rank");
    for (const store::StoredColumn& column : table.columns) write_stored_column(j, column.name, column.about);
    j.end_array().end_object();
  });
  json.column("functions", kStoreFunctions, [](JsonWriter& j, const StoreFunction& function) {
    j.begin_object().key("call").text(function.call).key("about").text(function.about).end_object();
  });
  json.column("examples", store::questions(job), [](JsonWriter& j, const store::Question& question) {
    j.begin_object().key("question").text(question.question).key("query").text(question.query).end_object();
  });
  json.end_object();
  return text;
}

}  // namespace

void add_fleet_sql_routes(Router& router, const Services& services) {
  router.add("/api/v1/fleet/sql", [services](const Request& request, auto) { return store_answer(request, services); });
  router.add("/api/v1/fleet/schema", [](const Request& request, auto) {
    return Response::json(store_schema(std::string(request.parameter("job").value_or(""))));
  });
}

}  // namespace vizd
