#include "system/readiness.h"

#include <sys/epoll.h>
#include <unistd.h>

#include <array>
#include <cstdint>

namespace vizd {
namespace {

constexpr int kEventsAtOnce = 256;

bool tell(int epoll_fd, int what, int fd, std::uint32_t events) {
  epoll_event event{.events = events, .data = {.fd = fd}};
  return ::epoll_ctl(epoll_fd, what, fd, &event) == 0;
}

}  // namespace

Readiness::Readiness() : fd_(::epoll_create1(EPOLL_CLOEXEC)) {}

Readiness::~Readiness() {
  if (fd_ >= 0) ::close(fd_);
}

bool Readiness::add(int fd) { return tell(fd_, EPOLL_CTL_ADD, fd, EPOLLIN); }

bool Readiness::add_once(int fd) { return tell(fd_, EPOLL_CTL_ADD, fd, EPOLLIN | EPOLLRDHUP | EPOLLONESHOT); }

void Readiness::arm(int fd, Event event) {
  const std::uint32_t wanted = event == Event::kWritable   ? std::uint32_t{EPOLLOUT}
                               : event == Event::kReadable ? std::uint32_t{EPOLLIN | EPOLLRDHUP}
                                                           : std::uint32_t{EPOLLRDHUP};
  tell(fd_, EPOLL_CTL_MOD, fd, wanted | EPOLLONESHOT);
}

void Readiness::remove(int fd) { ::epoll_ctl(fd_, EPOLL_CTL_DEL, fd, nullptr); }

const std::vector<Readiness::Ready>& Readiness::wait(int timeout_ms) {
  std::array<epoll_event, kEventsAtOnce> events;
  const int count = ::epoll_wait(fd_, events.data(), kEventsAtOnce, timeout_ms);
  ready_.clear();
  for (int i = 0; i < count; ++i) {
    const epoll_event& event = events[static_cast<std::size_t>(i)];
    ready_.push_back({event.data.fd, (event.events & (EPOLLRDHUP | EPOLLHUP | EPOLLERR)) != 0});
  }
  return ready_;
}

}  // namespace vizd
