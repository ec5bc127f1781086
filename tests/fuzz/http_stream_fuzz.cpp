// Any bytes on a connection to a real server: it ends the connection, and lets nobody see the secret who did not know
// the token.
#include <arpa/inet.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/assert.h"
#include "base/log.h"
#include "http/transport/guard.h"
#include "http/transport/http_server.h"

namespace {

// A refusal says in small letters which host it refuses: none can be made to say the secret.
constexpr std::string_view kToken = "0123456789abcdef", kSecret = "What a Capture Holds";
constexpr int kDeadlineMs = 15'000;

// One for all inputs, as long as the process.
struct Served {
  Served() {
    vizd::set_log_level(vizd::LogLevel::kSilent);
    auto bound = vizd::HttpServer::bind({}, counters, [](const vizd::Request& request) {
      vizd::GuardPolicy policy;
      policy.token = kToken;
      if (auto refusal = vizd::refuse(request, policy, vizd::Secrecy::kNeedsToken)) return *refusal;
      return vizd::Response::text(200, std::string(kSecret));
    });
    VIZD_ASSERT(bound.has_value());
    server = std::move(*bound);
    server->start();
  }
  vizd::Counters counters;
  std::unique_ptr<vizd::HttpServer> server;
};

// A connection, once the system has a port to spare: each one used is kept back for a while.
int connect_to(int port) {
  constexpr int kMostTries = 1500, kPause_us = 10'000;
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  for (int tries = 0; tries < kMostTries; ++tries) {
    const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (::connect(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0) return fd;
    ::close(fd);
    ::usleep(kPause_us);
  }
  return -1;
}

// What comes back until the server closes.
std::string exchange(int port, std::string_view bytes) {
  const int fd = connect_to(port);
  VIZD_ASSERT(fd >= 0);
  static_cast<void>(::send(fd, bytes.data(), bytes.size(), MSG_NOSIGNAL));
  ::shutdown(fd, SHUT_WR);
  std::string answer;
  char buffer[4096];
  for (;;) {
    pollfd ready{fd, POLLIN, 0};
    const int count = ::poll(&ready, 1, kDeadlineMs);
    if (count < 0 && errno == EINTR) continue;  // libFuzzer's own clock
    VIZD_ASSERT(count == 1);
    const ssize_t n = ::recv(fd, buffer, sizeof buffer, 0);
    if (n <= 0) break;
    answer.append(buffer, static_cast<std::size_t>(n));
  }
  ::close(fd);
  return answer;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static Served served;
  if (size > 100'000) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const std::string answer = exchange(served.server->port(), bytes);
  VIZD_ASSERT(answer.empty() || answer.starts_with("HTTP/1."));
  // Percent-decoded by the library, the token may be spelled in more than one way: so it must be told by its bearer.
  const bool is_known = bytes.find("earer ") != std::string_view::npos ||
                        bytes.find("ookie") != std::string_view::npos || bytes.find('%') != std::string_view::npos;
  // A refusal may say what it refuses.
  if (bytes.find(kSecret) != std::string_view::npos) return 0;
  VIZD_ASSERT(is_known || answer.find(kSecret) == std::string::npos);
  return 0;
}
