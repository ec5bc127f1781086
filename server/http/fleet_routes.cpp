// GET /api/v1/fleet/...: the jobs of a store, and a rank of one opened beside the captures that are.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <filesystem>

#include "base/json_writer.h"
#include "http/query.h"
#include "http/routes.h"
#include "query/cell.h"
#include "session/uploads.h"
#include "store/fleet.h"
#include "store/pull.h"

namespace vizd {
namespace {

constexpr std::int64_t kUsualStoreRows = 1000, kMostStoreRows = 100'000;
constexpr std::uint32_t kMostRank = 1u << 30;
// JavaScript's numbers are exact up to there.
constexpr std::int64_t kMostExactInteger = std::int64_t{1} << 53;

void write_value(JsonWriter& json, const nlohmann::json& value) {
  if (value.is_array()) {
    json.begin_array();
    for (const auto& item : value) write_value(json, item);
    json.end_array();
  } else if (value.is_string()) {
    json.text(sql::shown_text(value.get_ref<const std::string&>()));
  } else if (value.is_number_unsigned() && value.get<std::uint64_t>() > std::uint64_t{kMostExactInteger}) {
    json.begin_array().text(std::to_string(value.get<std::uint64_t>())).end_array();
  } else if (value.is_number_integer()) {
    const auto number = value.get<std::int64_t>();
    const bool is_exact = number >= -kMostExactInteger && number <= kMostExactInteger;
    is_exact ? json.number(number) : json.begin_array().text(std::to_string(number)).end_array();
  } else if (value.is_number_float()) {
    json.real(value.get<double>());
  } else if (value.is_boolean()) {
    json.number(value.get<bool>() ? 1 : 0);
  } else {
    json.null();
  }
}

// "columns": […], "rows": [[…], …]
void write_answer(JsonWriter& json, const store::Answer& answer) {
  json.column("columns", answer.columns, [](JsonWriter& j, const store::AnswerColumn& column) { j.text(column.name); });
  json.key("rows");
  write_value(json, answer.rows);
}

Response rows_response(const Result<store::Answer>& answer) {
  if (!answer) return error_response(answer.error());
  std::string text;
  JsonWriter json(text);
  json.begin_object();
  write_answer(json, *answer);
  json.end_object();
  return Response::json(std::move(text));
}

Result<std::string> job_of(const Request& request, std::string_view parameter = "job") {
  const auto job = request.parameter(parameter);
  if (job && !job->empty()) return std::string(*job);
  return Error{ErrorKind::kBadInput, fmt::format("name a job, as ?{}=NAME", parameter), ""};
}

using AskJob = Result<store::Answer> (*)(const store::Store& store, const std::string& job);

Response job_answer(const Request& request, const store::Store& store, AskJob ask) {
  const auto job = job_of(request);
  return job ? rows_response(ask(store, *job)) : error_response(job.error());
}

Response compare_answer(const Request& request, const store::Store& store) {
  const auto after = job_of(request), before = job_of(request, "with");
  if (!after || !before) return error_response(after ? before.error() : after.error());
  return rows_response(store::compare_jobs(store, *before, *after));
}

// As /api/v1/sql answers: rows of all jobs, which lead nowhere in a capture.
Response query_answer(const Request& request, const Services& services) {
  const auto limit = parse_number(request, "limit", 1, kMostStoreRows, kUsualStoreRows);
  if (!limit) return error_response(limit.error());
  const auto turn = services.heavy.begin(request);
  if (!turn) return error_response(turn.error());
  const auto began = std::chrono::steady_clock::now();
  const auto answer =
      store::ask_query(*services.store, request.parameter("q").value_or(""), static_cast<std::uint64_t>(*limit));
  if (!answer) return error_response(answer.error());
  std::string text;
  JsonWriter json(text);
  json.begin_object();
  write_answer(json, answer->answer);
  json.key("links").begin_array();
  for (std::size_t i = 0; i < answer->answer.rows.size(); ++i) json.null();
  json.end_array().key("whole").boolean(answer->is_whole);
  const auto took = std::chrono::steady_clock::now() - began;
  json.key("took_us").number(std::chrono::duration_cast<std::chrono::microseconds>(took).count()).end_object();
  return Response::json(std::move(text));
}

// What a rank's file is called here: of another push, another name.
Result<std::string> name_of_rank(const store::Store& store, const std::string& job, std::uint32_t rank) {
  store::Client client = store.connect();
  const auto answer = store::ask_rows(
      client,
      fmt::format("SELECT content FROM push WHERE {} AND state = 'done' LIMIT 1", store::is_of_rank(job, rank)));
  if (!answer) return answer.error();
  if (answer->rows.empty())
    return Error{ErrorKind::kNotFound, fmt::format("rank {} of job {} is not there whole; push it again", rank, job),
                 store.address().text()};
  std::string name =
      fmt::format("{} rank {} {}.bin", job.substr(0, 60), rank, answer->rows[0][0].get<std::string>().substr(0, 8));
  std::ranges::replace(name, '/', '_');
  std::ranges::replace(name, '\\', '_');
  return safe_file_name(name);
}

// Takes the rank out of the store, unless it is here already, for the session to open as any other capture.
Response open_answer(const Request& request, const Services& services) {
  const auto job = job_of(request);
  if (!job) return error_response(job.error());
  const auto rank = parse_parameter(request, "rank", kMostRank, "rank", 0);
  if (!rank) return error_response(rank.error());
  if (services.uploads == nullptr)
    return error_response({ErrorKind::kForbidden, "vizd has no room for captures from elsewhere (--no-upload)", ""});
  const auto name = name_of_rank(*services.store, *job, *rank);
  if (!name) return error_response(name.error());
  std::string path = (std::filesystem::path(services.uploads->folder()) / *name).string();
  std::error_code failed;
  if (!std::filesystem::exists(path, failed)) {
    std::string bytes;
    const auto pulled = store::pull(*services.store, *job, *rank, [&](std::string_view part) { bytes += part; });
    if (!pulled) return error_response(pulled.error());
    std::size_t at = 0;
    const auto read = [&](char* data, std::size_t size) {
      const std::size_t some = std::min(size, bytes.size() - at);
      std::memcpy(data, bytes.data() + at, some);
      at += some;
      return static_cast<std::ptrdiff_t>(some);
    };
    auto taken = services.uploads->take(*name, bytes.size(), read);
    if (!taken) return error_response(taken.error());
    path = *std::move(taken);
  }
  std::string text;
  JsonWriter json(text);
  json.begin_object().key("path").text(path).end_object();
  return Response::json(std::move(text));
}

}  // namespace

void add_fleet_routes(Router& router, const Services& services) {
  if (services.store == nullptr) return;
  const store::Store& store = *services.store;
  router.add("/api/v1/fleet/jobs", [&store](const Request&, auto) { return rows_response(store::jobs(store)); });
  const std::pair<const char*, AskJob> of_job[] = {{"ranks", store::ranks_of_job},
                                                   {"busy", store::busy_ranks},
                                                   {"steps", store::steps},
                                                   {"kernels", store::kernels},
                                                   {"collectives", store::last_to_collectives}};
  for (const auto& [name, ask] : of_job)
    router.add(fmt::format("/api/v1/fleet/{}", name),
               [&store, ask](const Request& request, auto) { return job_answer(request, store, ask); });
  router.add("/api/v1/fleet/compare",
             [&store](const Request& request, auto) { return compare_answer(request, store); });
  router.add("/api/v1/fleet/sql", [services](const Request& request, auto) { return query_answer(request, services); });
  router.add("/api/v1/fleet/open", [services](const Request& request, auto) { return open_answer(request, services); });
}

}  // namespace vizd
