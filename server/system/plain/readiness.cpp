// By poll(), which is told of all descriptors each time.
#include "system/readiness.h"

#include <poll.h>
#include <sys/socket.h>

namespace vizd {

Readiness::Readiness() = default;
Readiness::~Readiness() = default;

bool Readiness::add(int fd) {
  watched_[fd] = {Event::kReadable, false, true, true};
  return true;
}

bool Readiness::add_once(int fd) {
  watched_[fd] = {Event::kReadable, true, true, true};
  return true;
}

void Readiness::arm(int fd, Event event) {
  if (const auto found = watched_.find(fd); found != watched_.end()) found->second = {event, true, true, true};
}

void Readiness::remove(int fd) { watched_.erase(fd); }

const std::vector<Readiness::Ready>& Readiness::wait(int timeout_ms) {
  std::vector<pollfd> asked;
  for (const auto& [fd, watched] : watched_) {
    if (!watched.is_armed) continue;
    const short events = watched.event == Event::kWritable ? POLLOUT : watched.looks ? POLLIN : short{0};
    asked.push_back({fd, events, 0});
  }
  const int count = ::poll(asked.data(), static_cast<nfds_t>(asked.size()), timeout_ms);
  ready_.clear();
  if (count <= 0) return ready_;
  for (const pollfd& answer : asked) {
    if (answer.revents == 0) continue;
    Watched& watched = watched_.at(answer.fd);
    bool has_left = (answer.revents & (POLLHUP | POLLERR | POLLNVAL)) != 0;
    if (watched.event == Event::kLeaving && !has_left) {
      char next;
      has_left = ::recv(answer.fd, &next, 1, MSG_PEEK | MSG_DONTWAIT) == 0;
      if (!has_left) {
        watched.looks = false;  // what came stays unread, and poll() would tell of it again and again
        continue;
      }
    }
    if (watched.is_once) watched.is_armed = false;
    ready_.push_back({answer.fd, has_left});
  }
  return ready_;
}

}  // namespace vizd
