// Connections: all that is connected to the server, and the one thread that waits for it. A connection that is idle, or
// sends its request or takes its answer slowly, costs some memory here and nobody's time; one whose request has arrived
// is handed to a worker and comes back when it is answered. Beyond `most` the one that has been idle longest is closed.
//
// The thread owns every connection and all that is known of it; only give_back() and stop() may be called by others.
#pragma once

#include <chrono>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <thread>
#include <unordered_map>
#include <utility>
#include <vector>

#include "http/transport/connection.h"
#include "http/transport/counters.h"

namespace vizd {

class Connections {
 public:
  struct Options {
    int listen_fd = -1;  // non-blocking
    int stop_fd = -1;    // becomes readable when the server stops
    std::size_t most = 4096;
    std::chrono::milliseconds idle{60'000};     // for so long a connection may send nothing
    std::chrono::milliseconds head{10'000};     // and take so long for a head
    std::chrono::milliseconds sending{30'000};  // and take nothing of its answer for so long
    std::chrono::milliseconds closing{300};     // and be given so long to read the end of it
  };
  // Has the request that arrived answered by another thread, which calls give_back() then. Must not wait.
  using HandOver = std::function<void(Connection&)>;

  Connections(const Options& options, Counters& counters, HandOver hand_over);
  Connections(const Connections&) = delete;
  Connections& operator=(const Connections&) = delete;
  // Closes all. After the workers have ended.
  ~Connections();

  void start();
  // Sends the rest of the answer; then waits for the next request, or closes. Any thread.
  void give_back(Connection& connection, bool goes_on);
  // Accepts no more, and tells the workers that nobody waits for their answers. stop_fd is readable.
  void stop();

 private:
  using Clock = std::chrono::steady_clock;
  enum class State { kIdle, kArriving, kAnswering, kSending, kClosing };
  static constexpr std::size_t kStates = 5;
  struct Entry {
    Entry(int fd, int stop_fd) : connection(fd, stop_fd) {}
    Connection connection;
    State state = State::kIdle;
    bool goes_on = true;
    Clock::time_point deadline{};
    std::list<Entry*>::iterator place;  // in its state's list
  };

  void run();
  int wait_ms() const;
  void accept_all();
  bool make_room();
  void take_back();
  void handle(Entry& entry, std::uint32_t events);
  void arrive(Entry& entry, Connection::Arrived arrived);
  void answer_at_once(Entry& entry, std::string_view answer);
  void send(Entry& entry);
  void expire();
  void enter(Entry& entry, State state);
  void arm(Entry& entry);
  void close(Entry& entry);
  std::list<Entry*>& of(State state) { return states_[static_cast<std::size_t>(state)]; }
  Counters::Count& count(State state);
  std::chrono::milliseconds patience(State state) const;

  const Options options_;
  Counters& counters_;
  const HandOver hand_over_;
  const int epoll_fd_;
  const int wake_fd_;
  std::unordered_map<int, std::unique_ptr<Entry>> entries_;  // by descriptor
  std::array<std::list<Entry*>, kStates> states_;  // each in the order of deadlines: all of a state wait equally long
  bool has_told_of_tls_ = false;
  std::mutex mutex_;
  std::vector<std::pair<Connection*, bool>> given_back_;  // guarded by mutex_
  std::thread thread_;
};

}  // namespace vizd
