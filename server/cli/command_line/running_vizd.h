// RunningVizd: a vizd of this user that serves on this machine, asked by one of the user's commands
// (http/transport/running_server.h). One thread.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "http/transport/running_server.h"

namespace vizd {

class RunningVizd {
 public:
  explicit RunningVizd(RunningServer server) : server_(std::move(server)) {}

  // "http://HOST:PORT/", without the token.
  std::string url() const { return server_.url(); }
  bool is_shared() const { return server_.is_shared; }

  // The answer to a path under /api/v1/; body: what is sent there by POST. Errors: it does not answer, or says no.
  Result<nlohmann::json> ask(std::string_view path) const;
  Result<nlohmann::json> tell(std::string_view path, const nlohmann::json& body) const;

 private:
  Result<nlohmann::json> read(std::string_view path, const std::string* body) const;

  RunningServer server_;
};

// A capture that one of them has open.
struct OpenCapture {
  RunningVizd server;
  std::string id, name;
  std::vector<std::string> paths;  // of its files, absolute
};

// All that run; those that share first.
std::vector<RunningVizd> running_vizds();
// What it has open; none where it does not answer.
std::vector<OpenCapture> served_captures(const RunningVizd& server);
// The capture that these files are, where a running vizd has it open.
std::optional<OpenCapture> find_served(const std::vector<std::string>& paths);
// The one vizd that was started with --shared. Errors: there is none, or several and none at that URL ("": any).
Result<RunningVizd> find_shared(std::string_view url);

}  // namespace vizd
