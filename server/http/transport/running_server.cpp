#include "http/transport/running_server.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <optional>
#include <string_view>

#include "base/json_writer.h"
#include "base/parse_json.h"
#include "base/private_files.h"
#include "http/transport/token_file.h"

namespace vizd {
namespace {

constexpr std::string_view kPrefix = "server-";
constexpr const char* kFile = "/server.json";
constexpr int kHighestPort = 65535;

std::string server_text(const RunningServer& server) {
  std::string text;
  JsonWriter json(text);
  json.begin_object().key("host").text(server.host).key("port").number(server.port);
  json.key("token").text(server.token).key("shared").boolean(server.is_shared).end_object();
  return text;
}

bool write_new_file(const std::string& path, std::string_view text) {
  const int fd = make_private_file(path);
  if (fd < 0) return false;
  const bool is_written = ::write(fd, text.data(), text.size()) == static_cast<ssize_t>(text.size());
  return ::close(fd) == 0 && is_written;
}

// None where it is not whole, yet or ever.
std::optional<RunningServer> read_server(const std::string& path) {
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  if (fd < 0) return std::nullopt;
  std::array<char, 1024> bytes{};
  const ssize_t size = ::read(fd, bytes.data(), bytes.size());
  ::close(fd);
  if (size <= 0) return std::nullopt;
  const auto told = parse_json({bytes.data(), static_cast<std::size_t>(size)});
  if (!told.is_object()) return std::nullopt;
  const auto host = told.find("host"), port = told.find("port"), token = told.find("token"),
             shared = told.find("shared");
  const bool is_whole = host != told.end() && host->is_string() && port != told.end() && port->is_number_integer() &&
                        token != told.end() && token->is_string() && shared != told.end() && shared->is_boolean();
  if (!is_whole) return std::nullopt;
  const auto number = port->get<std::int64_t>();
  if (number <= 0 || number > kHighestPort) return std::nullopt;
  return RunningServer{host->get<std::string>(), static_cast<int>(number), token->get<std::string>(),
                       shared->get<bool>()};
}

}  // namespace

std::string RunningServer::url() const {
  return fmt::format("http://{}:{}/", host.find(':') == std::string::npos ? host : "[" + host + "]", port);
}

std::string default_running_folder() {
  const char* const runtime = std::getenv("XDG_RUNTIME_DIR");
  if (runtime != nullptr && *runtime == '/') return std::string(runtime) + "/vizd";
  const std::string state = default_state_folder();
  return state.empty() ? "" : state + "/running";
}

Result<std::unique_ptr<OwnFolder>> announce(const std::string& folder, const RunningServer& server) {
  if (folder.empty())
    return Error{ErrorKind::kForbidden, "there is no folder for it; set XDG_RUNTIME_DIR, XDG_STATE_HOME or HOME", ""};
  VIZD_TRY(take_private_folder(folder));
  auto own = OwnFolder::make(folder, kPrefix);
  if (!own) return own.error();
  const std::string path = (*own)->contents() + kFile;
  if (!write_new_file(path, server_text(server))) return Error{ErrorKind::kForbidden, "cannot be written", path};
  return own;
}

std::vector<RunningServer> running_servers(const std::string& folder) {
  std::vector<RunningServer> servers;
  if (folder.empty()) return servers;
  for (const std::string& contents : OwnFolder::in_use(folder, kPrefix)) {
    if (auto server = read_server(contents + kFile)) servers.push_back(std::move(*server));
  }
  return servers;
}

}  // namespace vizd
