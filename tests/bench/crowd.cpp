// vizd_crowd PORT PATH [SECONDS [CLIENTS SILENT SLOW]]: a crowd at a vizd that runs with --no-token. CLIENTS keep their
// connections and ask for PATH twice a second each, SILENT ones connect and say nothing, SLOW ones send a byte of their
// head now and then or read a byte of a large answer; both come again when they are closed. Prints the times from a
// request to the whole of its answer, and how many clients were left without one.
#include <arpa/inet.h>
#include <fcntl.h>
#include <fmt/core.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

namespace {

using Clock = std::chrono::steady_clock;
using Milliseconds = std::chrono::duration<double, std::milli>;
constexpr std::chrono::milliseconds kPeriod{500};

int port = 0;
std::string path;

int connect_to_server() {
  const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  ::connect(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address);
  return fd;
}

// Asks, waits for the whole answer, asks again half a second after it asked before.
struct Client {
  int fd = -1;
  Clock::time_point next{};
  Clock::time_point asked{};
  bool waits = false;
  std::string answer;
  std::vector<double> times_ms;

  bool is_answered() const {
    const auto blank = answer.find("\r\n\r\n");
    if (blank == std::string::npos) return false;
    const auto length = answer.find("Content-Length: ");
    return length < blank && answer.size() >= blank + 4 + std::strtoul(answer.c_str() + length + 16, nullptr, 10);
  }
  void ask(Clock::time_point now) {
    const std::string request = "GET " + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n";
    answer.clear();
    next += kPeriod;
    asked = now;
    waits = ::send(fd, request.data(), request.size(), MSG_NOSIGNAL) > 0;
  }
  // False once it has to connect again.
  bool read() {
    char buffer[65536];
    const ssize_t n = ::recv(fd, buffer, sizeof buffer, 0);
    if (n == 0 || (n < 0 && errno != EAGAIN)) return false;
    answer.append(buffer, static_cast<std::size_t>(std::max<ssize_t>(n, 0)));
    if (waits && is_answered()) {
      times_ms.push_back(Milliseconds(Clock::now() - asked).count());
      waits = false;
    }
    return true;
  }
};

// One that holds a connection; a slow one sends or reads a byte at each turn.
void disturb(int& fd, bool is_slow, bool reads) {
  char byte;
  const bool is_open = fd >= 0 && (reads || ::recv(fd, &byte, 1, MSG_PEEK) < 0) && (reads || errno == EAGAIN);
  if (!is_open) {
    if (fd >= 0) ::close(fd);
    fd = connect_to_server();
    const std::string request = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n";
    if (is_slow && reads) {
      pollfd writable{fd, POLLOUT, 0};
      ::poll(&writable, 1, 100);
      ::send(fd, request.data(), request.size(), MSG_NOSIGNAL);
    }
  } else if (is_slow && reads) {
    if (::recv(fd, &byte, 1, 0) == 0) ::close(std::exchange(fd, -1));
  } else if (is_slow) {
    ::send(fd, "G", 1, MSG_NOSIGNAL);
  }
}

void report(std::vector<Client>& clients, double seconds) {
  std::vector<double> times;
  std::size_t starved = 0;
  for (const Client& client : clients) {
    times.insert(times.end(), client.times_ms.begin(), client.times_ms.end());
    starved += client.times_ms.empty() || (client.waits && Clock::now() - client.asked > kPeriod);
  }
  std::sort(times.begin(), times.end());
  const auto at = [&](double share) {
    return times.empty() ? 0.0 : times[static_cast<std::size_t>(share * static_cast<double>(times.size() - 1))];
  };
  fmt::print("{} answers in {:.0f} s: p50 {:.1f} ms, p99 {:.1f} ms, longest {:.1f} ms; {} of {} clients without\n",
             times.size(), seconds, at(0.5), at(0.99), at(1), starved, clients.size());
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) return fmt::print(stderr, "vizd_crowd PORT PATH [SECONDS [CLIENTS SILENT SLOW]]\n"), EXIT_FAILURE;
  const auto number = [&](int i, std::size_t otherwise) {
    return argc > i ? std::strtoul(argv[i], nullptr, 10) : otherwise;
  };
  port = std::atoi(argv[1]);
  path = argv[2];
  const std::chrono::seconds duration(number(3, 10));
  std::vector<Client> clients(number(4, 1000));
  std::vector<int> silent(number(5, 200), -1), slow(number(6, 200), -1);
  rlimit limit{};
  ::getrlimit(RLIMIT_NOFILE, &limit);
  limit.rlim_cur = std::min<rlim_t>(8192, limit.rlim_max);
  ::setrlimit(RLIMIT_NOFILE, &limit);

  const int epoll = ::epoll_create1(0);
  const auto connect = [&](std::size_t i) {
    if (clients[i].fd >= 0) ::close(clients[i].fd);
    clients[i].fd = connect_to_server();
    clients[i].waits = false;
    epoll_event event{.events = EPOLLIN, .data = {.u64 = i}};
    ::epoll_ctl(epoll, EPOLL_CTL_ADD, clients[i].fd, &event);
  };
  const auto start = Clock::now();
  for (std::size_t i = 0; i < clients.size(); ++i) {
    connect(i);
    clients[i].next =
        start + std::chrono::seconds(1) + kPeriod * static_cast<int>(i) / static_cast<int>(clients.size());
  }
  auto next_turn = start;
  while (Clock::now() < start + duration) {
    epoll_event events[256];
    const int ready = ::epoll_wait(epoll, events, 256, 1);
    for (int i = 0; i < ready; ++i) {
      if (!clients[events[i].data.u64].read()) connect(events[i].data.u64);
    }
    const auto now = Clock::now();
    for (Client& client : clients) {
      if (!client.waits && client.next <= now) client.ask(now);
    }
    if (now < next_turn) continue;
    next_turn = now + kPeriod;
    for (int& fd : silent) disturb(fd, false, false);
    for (std::size_t i = 0; i < slow.size(); ++i) disturb(slow[i], true, i % 2 == 0);
  }
  report(clients, std::chrono::duration<double>(duration).count());
}
