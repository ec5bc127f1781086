// GET /api/v1/fleet/...: the jobs of a store, and a rank of one opened beside the captures that are.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <filesystem>

#include "base/json_writer.h"
#include "http/routes/routes.h"
#include "http/routes/store_rows.h"
#include "session/uploads.h"
#include "store/fleet.h"
#include "store/pull.h"

namespace vizd {
namespace {

constexpr std::uint32_t kMostRank = 1u << 30;

Response rows_response(const Result<store::Answer>& answer) {
  if (!answer) return store_error_response(answer.error());
  std::string text;
  JsonWriter json(text);
  json.begin_object();
  write_rows(json, *answer);
  json.end_object();
  return Response::json(std::move(text));
}

Result<std::string> job_of(const Request& request, std::string_view parameter = "job") {
  const auto job = request.parameter(parameter);
  if (job && !job->empty()) return std::string(*job);
  return Error{ErrorKind::kBadInput, fmt::format("name a job, as ?{}=NAME", parameter), ""};
}

// As one of the few that wait for the store, for as long as its client waits.
template <typename Ask>
Response ask_store(const Request& request, const Services& services, const Ask& ask) {
  const auto place = services.waiting_for_store->enter();
  if (!place) return error_response(place.error());
  return rows_response(ask(services.store->for_as_long_as(request.left)));
}

using AskJob = Result<store::Answer> (*)(const store::Store& store, const std::string& job);

Response job_answer(const Request& request, const Services& services, AskJob ask) {
  const auto job = job_of(request);
  if (!job) return error_response(job.error());
  return ask_store(request, services, [&](const store::Store& store) { return ask(store, *job); });
}

Response fleet_compare_answer(const Request& request, const Services& services) {
  const auto after = job_of(request), before = job_of(request, "with");
  if (!after || !before) return error_response(after ? before.error() : after.error());
  return ask_store(request, services,
                   [&](const store::Store& store) { return store::compare_jobs(store, *before, *after); });
}

// The name of a rank's file here: another push gets another name.
Result<std::string> name_of_rank(const store::Store& store, const std::string& job, std::uint32_t rank) {
  store::Client client = store.connect();
  const auto contents = store::ask_rows_of<std::string>(
      client,
      fmt::format("SELECT content FROM push WHERE {} AND state = 'done' LIMIT 1", store::is_of_rank(job, rank)));
  if (!contents) return contents.error();
  if (contents->empty())
    return Error{ErrorKind::kNotFound,
                 fmt::format("rank {} of job {} is not complete in the store; push it again", rank, job),
                 store.address().text()};
  const auto& [content] = contents->front();
  std::string name = fmt::format("{} rank {} {}.bin", job.substr(0, 60), rank, content.substr(0, 8));
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
    return error_response({ErrorKind::kForbidden, "vizd cannot store captures from elsewhere (--no-upload)", ""});
  const auto place = services.waiting_for_store->enter();
  if (!place) return error_response(place.error());
  const auto turn = services.from_store->begin(request);  // it is in memory for a moment
  if (!turn) return error_response(turn.error());
  const store::Store store = services.store->for_as_long_as(request.left);
  const auto name = name_of_rank(store, *job, *rank);
  if (!name) return store_error_response(name.error());
  std::string path = (std::filesystem::path(services.uploads->folder()) / *name).string();
  std::error_code failed;
  if (!std::filesystem::exists(path, failed)) {
    std::string bytes;
    const auto pulled =
        store::pull(store, *job, *rank, kMostUploadBytes, [&](std::string_view part) { bytes += part; });
    if (!pulled) return store_error_response(pulled.error());
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
  router.add("/api/v1/fleet/jobs",
             [services](const Request& request, auto) { return ask_store(request, services, store::jobs); });
  const std::pair<const char*, AskJob> of_job[] = {{"ranks", store::ranks_of_job},
                                                   {"busy", store::busy_ranks},
                                                   {"steps", store::steps},
                                                   {"kernels", store::kernels},
                                                   {"collectives", store::late_to_collectives}};
  for (const auto& [name, ask] : of_job)
    router.add(fmt::format("/api/v1/fleet/{}", name),
               [services, ask](const Request& request, auto) { return job_answer(request, services, ask); });
  router.add("/api/v1/fleet/compare",
             [services](const Request& request, auto) { return fleet_compare_answer(request, services); });
  add_fleet_sql_routes(router, services);
  router.add("/api/v1/fleet/open", [services](const Request& request, auto) { return open_answer(request, services); });
}

}  // namespace vizd
