// RouteClient: asks the routes as a page would, without a socket: for what is made of answers beforehand. One thread.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "http/transport/router.h"

namespace vizd {

// Something that a page asks.
struct Question {
  std::string path;
  std::vector<std::pair<std::string, std::string>> query = {};

  // The path with its parameters in the order of their names, which is the same whoever wrote them.
  std::string text() const;
};

class RouteClient {
 public:
  struct Answer {
    int status = 200;
    std::string content_type;
    std::string bytes;  // of server-sent events all, to the end of their stream

    bool is_ok() const { return status == 200; }
  };

  // routes: must outlive this.
  explicit RouteClient(const Router& routes) : routes_(routes) {}

  // Waits for an answer that is still being made, however long that takes.
  Answer ask(const Question& question) const;

 private:
  const Router& routes_;
};

}  // namespace vizd
