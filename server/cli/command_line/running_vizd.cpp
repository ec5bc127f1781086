#include "cli/command_line/running_vizd.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/parse_json.h"
#include "store/http_connection.h"

namespace vizd {
namespace {

using Json = nlohmann::json;
namespace fs = std::filesystem;

constexpr std::chrono::seconds kPatience{20};
constexpr std::size_t kMostAnswerBytes = std::size_t{64} << 20;

// As it lies on the disk, so that two spellings of it are one.
std::string real_path(const fs::path& path) {
  std::error_code failed;
  const fs::path real = fs::weakly_canonical(path, failed);
  return failed ? path.string() : real.string();
}

}  // namespace

Result<Json> RunningVizd::ask(std::string_view path) const { return read(path, nullptr); }

Result<Json> RunningVizd::tell(std::string_view path, const Json& body) const {
  const std::string text = body.dump(-1, ' ', false, Json::error_handler_t::replace);
  return read(path, &text);
}

Result<Json> RunningVizd::read(std::string_view path, const std::string* body) const {
  store::HttpConnection connection({.host = server_.host, .port = server_.port, .database = ""});
  const store::HttpConnection::Bounds bounds{.time = kPatience, .most_bytes = kMostAnswerBytes};
  std::string headers = "Connection: close\r\n";
  if (!server_.token.empty()) headers += fmt::format("Authorization: Bearer {}\r\n", server_.token);
  if (body != nullptr) headers += "Content-Type: application/octet-stream\r\n";
  const auto answer =
      body == nullptr ? connection.get(path, headers, bounds) : connection.post(path, headers, *body, bounds);
  if (!answer) return Error{ErrorKind::kBusy, "this vizd does not answer", url()};
  Json told = parse_json(answer->body);
  if (answer->status == 200 && !told.is_discarded()) return told;
  const auto problem = told.is_object() ? told.find("error") : told.end();
  if (problem == told.end() || !problem->is_object())
    return Error{ErrorKind::kInternal, fmt::format("this vizd answered {}", answer->status), url()};
  return Error{ErrorKind::kBadInput, problem->value("message", ""), problem->value("where", "")};
}

std::vector<RunningVizd> running_vizds() {
  std::vector<RunningServer> servers = running_servers(default_running_folder());
  std::ranges::stable_sort(servers, std::greater(), &RunningServer::is_shared);
  return {servers.begin(), servers.end()};
}

std::vector<OpenCapture> served_captures(const RunningVizd& server) {
  std::vector<OpenCapture> captures;
  const auto session = server.ask("/api/v1/session");
  if (!session || !session->is_object() || !session->contains("captures")) return captures;
  const fs::path folder = session->value("folder", "");
  for (const Json& capture : (*session)["captures"]) {
    OpenCapture served{server, capture.value("id", ""), capture.value("name", ""), {}};
    for (const Json& file : capture["files"]) served.paths.push_back(real_path(folder / file.value("path", "")));
    captures.push_back(std::move(served));
  }
  return captures;
}

std::optional<OpenCapture> find_served(const std::vector<std::string>& paths) {
  if (paths.empty()) return std::nullopt;
  for (const RunningVizd& server : running_vizds()) {
    for (OpenCapture& capture : served_captures(server)) {
      const bool is_it = std::ranges::all_of(paths, [&](const std::string& path) {
        return std::ranges::find(capture.paths, real_path(fs::absolute(path))) != capture.paths.end();
      });
      if (is_it) return std::move(capture);
    }
  }
  return std::nullopt;
}

Result<RunningVizd> find_shared(std::string_view url) {
  std::vector<RunningVizd> found;
  std::string urls;
  for (RunningVizd& server : running_vizds()) {
    const std::string own = server.url();
    const bool is_meant = url.empty() || own == url || own == fmt::format("{}/", url);
    if (!server.is_shared() || !is_meant) continue;
    urls += (urls.empty() ? "" : ", ") + own;
    found.push_back(std::move(server));
  }
  if (found.size() == 1) return std::move(found.front());
  if (found.empty())
    return Error{ErrorKind::kNotFound, "no vizd shares its page; start one with --shared", std::string(url)};
  return Error{ErrorKind::kBadInput, "several vizd share their page; choose one with --at: " + urls, ""};
}

}  // namespace vizd
