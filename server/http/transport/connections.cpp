#include "http/transport/connections.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "base/log.h"
#include "http/transport/instant_answer.h"
#include "system/sockets.h"

namespace vizd {
namespace {

constexpr int kAcceptedAtOnce = 256;  // before those who are connected have their turn again

void watch(bool is_watched) {
  if (!is_watched) log(LogLevel::kError, "cannot wait for a connection: {}", std::strerror(errno));
}

}  // namespace

Connections::Connections(const Options& options, Counters& counters, HandOver hand_over)
    : options_(options), counters_(counters), hand_over_(std::move(hand_over)) {
  for (const int fd : {options_.listen_fd, options_.stop_fd, wake_up_.fd()}) watch(readiness_.add(fd));
}

Connections::~Connections() = default;

void Connections::start() {
  thread_ = std::thread([this] { run(); });
}

void Connections::stop() {
  if (thread_.joinable()) thread_.join();
  for (const auto& [fd, entry] : entries_) entry->connection.left().request_stop();
}

void Connections::give_back(Connection& connection, bool goes_on) {
  {
    const std::lock_guard lock(mutex_);
    given_back_.emplace_back(&connection, goes_on);
    if (given_back_.size() > 1) return;  // woken already
  }
  if (!wake_up_.wake()) log(LogLevel::kError, "cannot wake the connections");
}

void Connections::run() {
  while (true) {
    bool accepts = false;
    for (const auto [fd, has_left] : readiness_.wait(wait_ms())) {
      if (fd == options_.stop_fd) return;
      if (fd == options_.listen_fd) {
        accepts = true;
      } else if (fd == wake_up_.fd()) {
        take_back();
      } else if (const auto found = entries_.find(fd); found != entries_.end()) {
        handle(*found->second, has_left);
      }
    }
    if (accepts_again_ && Clock::now() >= *accepts_again_) {
      accepts_again_.reset();
      watch(readiness_.add(options_.listen_fd));
    }
    // Last: a descriptor that was closed above may come again here, and what was reported above is of the old one.
    if (accepts) accept_all();
    expire();
  }
}

int Connections::wait_ms() const {
  auto next = accepts_again_.value_or(Clock::time_point::max());
  for (const auto& states : states_) {
    for (const auto& waiting : states) {
      if (!waiting.empty()) next = std::min(next, waiting.front()->deadline);
    }
  }
  if (next == Clock::time_point::max()) return -1;
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(next - Clock::now()).count();
  return static_cast<int>(std::clamp<std::int64_t>(left, 0, 60'000));
}

void Connections::accept_all() {
  for (int i = 0; i < kAcceptedAtOnce; ++i) {
    const int fd = accept_socket(options_.listen_fd);
    if (fd < 0 && (errno == EMFILE || errno == ENFILE)) {
      if (!make_room()) return pause_accepting();
      continue;
    }
    if (fd < 0 && (errno == EINTR || errno == ECONNABORTED)) continue;
    if (fd < 0) return errno == EAGAIN ? void() : pause_accepting();
    ++counters_.accepted;
    if (entries_.size() >= options_.most && !make_room()) {
      ::close(fd);
      continue;
    }
    const int yes = 1;
    ::setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    auto& entry = entries_[fd] = std::make_unique<Entry>(fd, options_.stop_fd);
    watch(readiness_.add_once(fd));
    entry->place = of(State::kIdle, false).insert(of(State::kIdle, false).end(), entry.get());
    ++count(State::kIdle);
    entry->since = Clock::now();
    entry->deadline = entry->since + patience(State::kIdle);
  }
}

// Clients that wait to be accepted are still there then; hearing of them again and again would take all the time.
void Connections::pause_accepting() {
  constexpr std::chrono::milliseconds kPause{100};
  readiness_.remove(options_.listen_fd);
  accepts_again_ = Clock::now() + kPause;
}

// A stranger is closed, however it waits: the one that has for longest, so that who has just come can still show the
// token. Of those who are known one that is idle, or slow to ask. Whoever a worker is answering stays.
bool Connections::make_room() {
  Entry* chosen = nullptr;
  for (const State state : {State::kClosing, State::kIdle, State::kArriving, State::kSending}) {
    if (const auto& strangers = of(state, false);
        !strangers.empty() && (chosen == nullptr || strangers.front()->since < chosen->since))
      chosen = strangers.front();
  }
  for (const State state : {State::kClosing, State::kIdle, State::kArriving}) {
    if (chosen == nullptr && !of(state, true).empty()) chosen = of(state, true).front();
  }
  if (chosen == nullptr) return false;
  ++counters_.closed_for_room;
  close(*chosen);
  return true;
}

void Connections::take_back() {
  wake_up_.rest();
  std::unique_lock lock(mutex_);
  const auto given_back = std::exchange(given_back_, {});
  lock.unlock();
  for (const auto& [connection, goes_on] : given_back) {
    const auto found = entries_.find(connection->fd());
    if (found == entries_.end()) continue;
    Entry& entry = *found->second;
    entry.goes_on = goes_on;
    if (!entry.is_known && entry.connection.is_known()) {
      auto& known = of(entry.state, true);
      known.splice(known.end(), of(entry.state, false), entry.place);
      entry.is_known = true;
    }
    send(entry);
  }
}

void Connections::handle(Entry& entry, bool has_left) {
  switch (entry.state) {
    case State::kIdle:
    case State::kArriving:
      return arrive(entry, entry.connection.receive());
    case State::kAnswering:
      if (!has_left) return arm(entry);
      ++counters_.left_early;
      entry.connection.left().request_stop();
      return;  // no more is to be heard of it
    case State::kSending:
      return send(entry);
    case State::kClosing:
      return entry.connection.drain() ? arm(entry) : close(entry);
  }
}

void Connections::arrive(Entry& entry, Connection::Arrived arrived) {
  switch (arrived) {
    case Connection::Arrived::kNothing:
    case Connection::Arrived::kPart: {
      const State state = arrived == Connection::Arrived::kPart ? State::kArriving : State::kIdle;
      if (state != entry.state) enter(entry, state);
      return arm(entry);
    }
    case Connection::Arrived::kHead:
      if (is_tls_hello(entry.connection.head()) && !std::exchange(has_told_of_tls_, true))
        log(LogLevel::kWarning, "a client spoke TLS: open the URL with http://, not https://");
      if (const auto answer = instant_answer(entry.connection.head())) return answer_at_once(entry, *answer);
      enter(entry, State::kAnswering);
      arm(entry);
      return hand_over_(entry.connection);
    case Connection::Arrived::kEnd:
      return close(entry);
  }
}

void Connections::answer_at_once(Entry& entry, std::string_view answer) {
  entry.connection.write(answer.data(), answer.size());
  entry.goes_on = false;
  send(entry);
}

void Connections::send(Entry& entry) {
  if (!entry.connection.send_rest()) return close(entry);
  if (entry.connection.has_rest()) {
    if (entry.state != State::kSending) {
      enter(entry, State::kSending);
      entry.to_take = entry.left_to_take = entry.connection.bytes_to_take();
      entry.took = entry.since;
    }
    return arm(entry);
  }
  if (entry.goes_on) {
    const auto arrived = entry.connection.next_request();
    enter(entry, State::kIdle);
    return arrive(entry, arrived);
  }
  entry.connection.end_sending();
  enter(entry, State::kClosing);
  entry.connection.drain() ? arm(entry) : close(entry);
}

void Connections::expire() {
  const auto now = Clock::now();
  for (auto& states : states_) {
    for (auto& waiting : states) {
      while (!waiting.empty() && waiting.front()->deadline <= now) {
        Entry& entry = *waiting.front();
        if (entry.state == State::kSending && takes_its_answer(entry)) {
          waiting.splice(waiting.end(), waiting, entry.place);
          entry.deadline = now + patience(State::kSending);
          continue;
        }
        if (entry.state != State::kClosing) ++counters_.timed_out;
        close(entry);
      }
    }
  }
}

// Its system takes the bytes before it reads them, in large pieces with long pauses: so on the whole, and since it
// began, as fast as the slowest reader who is served.
bool Connections::takes_its_answer(Entry& entry) const {
  const auto now = Clock::now();
  const std::size_t left = entry.connection.bytes_to_take();
  if (left < entry.left_to_take) entry.took = now;
  entry.left_to_take = left;
  const std::chrono::duration<double> late = now - entry.since - options_.sending;
  const auto taken = static_cast<double>(entry.to_take - std::min(left, entry.to_take));
  return now - entry.took < options_.stalled &&
         taken >= std::max(late.count() * static_cast<double>(options_.slowest_bytes_per_s), 1.0);
}

void Connections::enter(Entry& entry, State state) {
  auto& to = of(state, entry.is_known);
  to.splice(to.end(), of(entry.state, entry.is_known), entry.place);
  --count(entry.state);
  ++count(state);
  entry.state = state;
  entry.since = Clock::now();
  entry.deadline = state == State::kAnswering ? Clock::time_point::max() : entry.since + patience(state);
}

// Once for each event: a connection that a worker has must not report what the worker reads.
void Connections::arm(Entry& entry) {
  readiness_.arm(entry.connection.fd(), entry.state == State::kAnswering ? Readiness::Event::kLeaving
                                        : entry.state == State::kSending ? Readiness::Event::kWritable
                                                                         : Readiness::Event::kReadable);
}

void Connections::close(Entry& entry) {
  of(entry.state, entry.is_known).erase(entry.place);
  --count(entry.state);
  readiness_.remove(entry.connection.fd());
  entries_.erase(entry.connection.fd());
}

Counters::Count& Connections::count(State state) {
  switch (state) {
    case State::kIdle:
      return counters_.idle;
    case State::kArriving:
      return counters_.arriving;
    case State::kAnswering:
      return counters_.answering;
    case State::kSending:
      return counters_.sending;
    case State::kClosing:
      break;
  }
  return counters_.closing;
}

std::chrono::milliseconds Connections::patience(State state) const {
  switch (state) {
    case State::kArriving:
      return options_.head;
    case State::kSending:
      return options_.sending;
    case State::kClosing:
      return options_.closing;
    case State::kIdle:
    case State::kAnswering:
      break;
  }
  return options_.idle;
}

}  // namespace vizd
