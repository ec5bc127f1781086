#include "base/removed_on_signal.h"

#include <signal.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <utility>

namespace vizd {
namespace {

// The handler may read these and nothing else: no lock, no memory.
std::array<std::atomic<const char*>, 8> paths{};
static_assert(std::atomic<const char*>::is_always_lock_free);

void remove_and_end(int number) {
  for (const auto& place : paths) {
    if (const char* const path = place.load()) ::unlink(path);
  }
  // The signal is blocked until this returns; then it does what it would have done.
  ::signal(number, SIG_DFL);
  ::raise(number);
}

void handle(int number) {
  struct sigaction before {};
  if (::sigaction(number, nullptr, &before) != 0 || before.sa_handler != SIG_DFL) return;
  struct sigaction action {};
  action.sa_handler = remove_and_end;
  ::sigaction(number, &action, nullptr);
}

}  // namespace

RemovedOnSignal::RemovedOnSignal(std::string path) : path_(std::move(path)) {
  for (auto& place : paths) {
    const char* none = nullptr;
    if (place.compare_exchange_strong(none, path_.c_str())) break;
  }
  for (const int number : {SIGHUP, SIGINT, SIGTERM}) handle(number);
}

RemovedOnSignal::~RemovedOnSignal() {
  for (auto& place : paths) {
    const char* own = path_.c_str();
    place.compare_exchange_strong(own, nullptr);
  }
}

}  // namespace vizd
