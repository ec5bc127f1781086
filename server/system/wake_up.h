// WakeUp: a descriptor by which one thread ends another's wait. wake() may be called by any thread and in a signal's
// handler; the rest by the one that waits.
#pragma once

namespace vizd {

class WakeUp {
 public:
  WakeUp();
  WakeUp(const WakeUp&) = delete;
  WakeUp& operator=(const WakeUp&) = delete;
  ~WakeUp();

  // Readable from wake() until rest(). Negative where the system gave none.
  int fd() const { return fd_; }
  // False where it could not be: then whoever waits goes on waiting.
  bool wake() const;
  void rest() const;

 private:
  int fd_ = -1;
  int writing_fd_ = -1;  // the same one, where a descriptor does for both
};

}  // namespace vizd
