// RunningServer: a vizd of this user that serves on this machine, as the user's other commands find it: by a file in a
// folder for this user alone, which goes when the vizd ends. One that was killed leaves it; it counts only while the
// lock beside it is held (base/own_folder.h), so that nobody sends the token to whoever took the port next.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/own_folder.h"
#include "base/result.h"

namespace vizd {

struct RunningServer {
  std::string host;  // to connect to
  int port = 0;
  std::string token;  // "": it needs none
  bool is_shared = false;

  // "http://HOST:PORT/", without the token.
  std::string url() const;
};

// $XDG_RUNTIME_DIR/vizd, else a folder of the state folder; "" where there is neither.
std::string default_running_folder();

// Says in the folder that it runs, for as long as what is returned lives. Errors: the folder cannot be written.
Result<std::unique_ptr<OwnFolder>> announce(const std::string& folder, const RunningServer& server);

// Returns the servers that are announced there and alive, in no order.
std::vector<RunningServer> running_servers(const std::string& folder);

}  // namespace vizd
