// Readiness: waits for any of many descriptors. All of it is called by one thread, but for its making and its end.
#pragma once

#include <map>
#include <vector>

namespace vizd {

class Readiness {
 public:
  // kLeaving: that the other end leaves, whatever it sends meanwhile.
  enum class Event { kReadable, kWritable, kLeaving };
  struct Ready {
    int fd;
    bool has_left;  // as far as the system says so unasked
  };

  Readiness();
  Readiness(const Readiness&) = delete;
  Readiness& operator=(const Readiness&) = delete;
  ~Readiness();

  // Tells each time that it can be read. False, with errno, where no more can be watched; so for the next.
  bool add(int fd);
  // Tells the next time alone that it can be read.
  bool add_once(int fd);
  // The next time again, of one that was added once.
  void arm(int fd, Event event);
  // Before it is closed.
  void remove(int fd);
  // Returns after something happened, or timeout_ms; -1: however long. What is told is kept until the next call.
  const std::vector<Ready>& wait(int timeout_ms);

 private:
  struct Watched {
    Event event;
    bool is_once;
    bool is_armed;
    bool looks;  // at what arrives
  };

  [[maybe_unused]] int fd_ = -1;    // of the system's own list of descriptors, where it keeps one
  std::map<int, Watched> watched_;  // where it does not
  std::vector<Ready> ready_;
};

}  // namespace vizd
