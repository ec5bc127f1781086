// Derived: what is made from loaded captures when somebody asks for it, in the background by a few threads, and kept
// while memory allows: replayed passes, tables, sets of picks, whole answers. There is one such store for each way of
// running (Options); what it makes is known by the capture's reading, its type and a name.
//
// All who ask for the same thing share one making. Each holds a Ticket and waits with it as long as it likes; a making
// that nobody wants any more is given up. It is wanted while somebody holds a ticket, and in a store that finishes what
// was asked for (Options::finishes) also while its capture is loaded. Once its capture is loaded no more, a thing goes
// to those who hold tickets and is forgotten; so is an error once somebody was told of it: whoever asks next may have
// better luck.
//
// Every public function may be called by any thread. A making must not wait for another one of the same store, since
// that may be waiting for its thread.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>
#include <string_view>
#include <thread>
#include <tuple>
#include <typeindex>
#include <vector>

#include "base/result.h"
#include "session/loaded_capture.h"

namespace vizd {

// The work that is being done, and how far it is.
struct ProgressReport {
  std::uint32_t done = 0;
  std::uint32_t of = 0;
  std::string_view what;  // "replaying", "laying out"; lives for ever
  // The thing as far as it is made, of its own type; null: no more of it than was told before.
  std::shared_ptr<const void> so_far = nullptr;
};
using ReportProgress = std::function<void(const ProgressReport&)>;

// Makes a T. Ends early, with any error, once stop is requested. What it throws becomes an error.
template <typename T>
using Make = std::function<Result<std::shared_ptr<const T>>(const ReportProgress& report, std::stop_token stop)>;

class Derived {
  struct Making;
  using Any = std::shared_ptr<const void>;

 public:
  struct Options {
    unsigned threads = 2;                             // so many are made at once, the last asked for first
    std::size_t most_bytes = std::size_t{256} << 20;  // kept; what is held by those who asked comes on top
    bool finishes = false;                            // makes what was asked for, though nobody waits any more
    int niceness = 0;                                 // of the threads, as nice(1) has it
  };

  explicit Derived(const Options& options) : options_(options) {}
  Derived(const Derived&) = delete;
  Derived& operator=(const Derived&) = delete;
  ~Derived();

  // One asker's interest in a thing that may not be there yet.
  class Interest {
   public:
    Interest(Interest&&) = default;
    Interest& operator=(Interest&&) = delete;
    ~Interest();

    // True once there is a result or an error; false at the timeout, or when stop is requested first.
    bool wait_for(std::chrono::milliseconds timeout, const std::stop_token& stop = {}) const;
    // How far the making is: of the work that is being done now, never less than before.
    ProgressReport progress() const;

   protected:
    friend class Derived;
    Interest(Derived* store, std::shared_ptr<Making> making) : store_(store), making_(std::move(making)) {}
    Result<Any> any_result() const;

   private:
    Derived* store_;
    std::shared_ptr<Making> making_;
  };

  template <typename T>
  class Ticket : public Interest {
   public:
    // kBusy where there is none yet. The thing is the asker's own, also after the ticket.
    Result<std::shared_ptr<const T>> result() const {
      auto any = any_result();
      if (!any) return std::move(any).error();
      return std::static_pointer_cast<const T>(*std::move(any));
    }
    // The thing as far as it is made; null where its making tells of no such.
    std::shared_ptr<const T> so_far() const { return std::static_pointer_cast<const T>(progress().so_far); }
    // The result, waiting for it so long.
    Result<std::shared_ptr<const T>> wait(std::chrono::milliseconds patience, const std::stop_token& stop = {}) const {
      wait_for(patience, stop);
      return result();
    }

   private:
    friend class Derived;
    explicit Ticket(Interest&& interest) : Interest(std::move(interest)) {}
  };

  // Joins the making of the capture's T of that name, or starts it. A T says how large it is: T::memory_bytes().
  template <typename T>
  Ticket<T> get(const std::shared_ptr<const LoadedCapture>& capture, std::string_view name, Make<T> make) {
    const auto make_any = [make = std::move(make)](const ReportProgress& report,
                                                   std::stop_token stop) -> Result<Sized> {
      auto made = make(report, std::move(stop));
      if (!made) return std::move(made).error();
      const std::size_t bytes = (*made)->memory_bytes();
      return Sized{*std::move(made), bytes};
    };
    return Ticket<T>(find_or_start(*capture, {capture->revision, typeid(T), std::string(name)}, make_any));
  }

  // The size of everything that is kept.
  std::size_t kept_bytes();

  // Gives up all that is being made, and whatever is asked from now on, so that the server can stop.
  void end();

 private:
  struct Sized {
    Any thing;
    std::size_t bytes = 0;
  };
  using MakeAny = std::function<Result<Sized>(const ReportProgress& report, std::stop_token stop)>;
  using Key = std::tuple<std::uint64_t, std::type_index, std::string>;  // revision, type, name
  using WhenUnloaded = std::stop_callback<std::function<void()>>;

  static Result<Sized> make_safely(const MakeAny& make, const ReportProgress& report, std::stop_token stop);

  Interest find_or_start(const LoadedCapture& capture, Key key, MakeAny make);
  void work(const std::stop_token& stop);
  void leave(const std::shared_ptr<Making>& making);
  void hear_of_unloading(const LoadedCapture& capture);
  void forget_capture(std::uint64_t revision);
  // mutex_ is held:
  void start(const std::shared_ptr<Making>& making);
  // Returns what to let go of after the mutex is unlocked: it may be large.
  std::vector<std::shared_ptr<Making>> settle(const std::shared_ptr<Making>& making, Result<Sized> result);
  std::vector<std::shared_ptr<Making>> evict();
  void give_up(const std::shared_ptr<Making>& making);
  bool is_known(const std::shared_ptr<Making>& making) const;
  void forget(const std::shared_ptr<Making>& making);

  const Options options_;
  std::mutex mutex_;
  std::condition_variable_any work_to_do_;
  std::condition_variable_any settled_;
  using Recent = std::list<std::shared_ptr<Making>>;
  Recent recent_;  // all that is known, the last asked for first
  std::map<Key, Recent::iterator> known_;
  std::size_t bytes_ = 0;                         // of what is known and made
  std::vector<std::shared_ptr<Making>> waiting_;  // the last is made next
  std::size_t idle_threads_ = 0;
  bool ended_ = false;
  std::map<std::uint64_t, std::unique_ptr<WhenUnloaded>> captures_;  // by revision
  std::vector<std::jthread> threads_;  // started when there is work for them; they use all of the above
};

}  // namespace vizd
