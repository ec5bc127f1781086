// Connections: all that is connected to the server, and the one thread that waits for it. A connection that is idle, or
// sends its request or takes its answer slowly, costs some memory here and nobody's time; one whose request has arrived
// is handed to a worker and comes back when it is answered. Beyond `most` one makes room: first the stranger that has
// waited longest for whatever it is, then of those who have shown the token one that has been idle longest. So nobody
// without the token keeps out somebody with it.
//
// The thread owns every connection and all that is known of it; only give_back() and stop() may be called by others.
#pragma once

#include <array>
#include <chrono>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <unordered_map>
#include <utility>
#include <vector>

#include "http/transport/connection.h"
#include "http/transport/counters.h"
#include "system/readiness.h"
#include "system/wake_up.h"

namespace vizd {

class Connections {
 public:
  struct Options {
    int listen_fd = -1;  // non-blocking
    int stop_fd = -1;    // becomes readable when the server stops
    std::size_t most = 4096;
    std::chrono::milliseconds idle{60'000};      // for so long a connection may send nothing
    std::chrono::milliseconds head{10'000};      // and take so long for a head
    std::chrono::milliseconds sending{30'000};   // and take less of its answer than slowest_bytes_per_s, so long
    std::chrono::milliseconds stalled{120'000};  // and, whatever it took before, nothing of it for so long
    std::size_t slowest_bytes_per_s = 8192;
    std::chrono::milliseconds closing{300};  // and be given so long to read the end of it
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
    bool is_known = false;              // has shown the token
    Clock::time_point since{};          // in that state
    std::size_t to_take = 0;            // of the answer, when it began to be sent and when it was last looked at
    std::size_t left_to_take = 0;
    Clock::time_point took{};  // when something had been taken of it
  };

  void run();
  int wait_ms() const;
  void accept_all();
  void pause_accepting();
  bool make_room();
  void take_back();
  void handle(Entry& entry, bool has_left);
  void arrive(Entry& entry, Connection::Arrived arrived);
  void answer_at_once(Entry& entry, std::string_view answer);
  void send(Entry& entry);
  void expire();
  bool takes_its_answer(Entry& entry) const;
  void enter(Entry& entry, State state);
  void arm(Entry& entry);
  void close(Entry& entry);
  std::list<Entry*>& of(State state, bool is_known) { return states_[is_known][static_cast<std::size_t>(state)]; }
  Counters::Count& count(State state);
  std::chrono::milliseconds patience(State state) const;

  const Options options_;
  Counters& counters_;
  const HandOver hand_over_;
  Readiness readiness_;
  const WakeUp wake_up_;
  std::unordered_map<int, std::unique_ptr<Entry>> entries_;  // by descriptor
  // First those of strangers, then of known clients; each in the order of deadlines, since all of a state wait equally
  // long.
  std::array<std::array<std::list<Entry*>, kStates>, 2> states_;
  std::optional<Clock::time_point> accepts_again_;  // where there were no more descriptors
  bool has_told_of_tls_ = false;
  std::mutex mutex_;
  std::vector<std::pair<Connection*, bool>> given_back_;  // guarded by mutex_
  std::thread thread_;
};

}  // namespace vizd
