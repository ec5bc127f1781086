#include "base/cut_mappings.h"

#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <mutex>

namespace vizd {
namespace {

struct Watched {
  std::atomic<std::uintptr_t> begin{0};  // 0: free
  std::atomic<std::uintptr_t> end{0};
  std::atomic<bool> is_cut{false};
};

// The signal handler reads these; it takes no lock and no memory.
std::array<Watched, 64> g_watched;
struct sigaction g_before {};
std::uintptr_t g_page_bytes = 4096;

Watched* find_watched(std::uintptr_t address) {
  for (Watched& watched : g_watched) {
    const std::uintptr_t begin = watched.begin.load(std::memory_order_acquire);
    if (begin != 0 && begin <= address && address < watched.end.load(std::memory_order_acquire)) return &watched;
  }
  return nullptr;
}

void handle_bus_error(int number, siginfo_t* info, void* context) {
  const auto address = reinterpret_cast<std::uintptr_t>(info->si_addr);
  if (Watched* const watched = find_watched(address)) {
    // All that lies beyond a page that is gone is gone too. All of it at once: page by page, a large file that is read
    // here and there would take more mappings than the system grants.
    const std::uintptr_t page = address / g_page_bytes * g_page_bytes;
    const std::size_t size_bytes = watched->end.load(std::memory_order_acquire) - page;
    constexpr int kFlags = MAP_FIXED | MAP_PRIVATE | MAP_ANONYMOUS;
    watched->is_cut.store(true, std::memory_order_release);
    if (::mmap(reinterpret_cast<void*>(page), size_bytes, PROT_READ, kFlags, -1, 0) != MAP_FAILED) return;
  }
  // Not ours: as if this handler were not there.
  if ((g_before.sa_flags & SA_SIGINFO) != 0 && g_before.sa_sigaction != nullptr)
    return g_before.sa_sigaction(number, info, context);
  ::signal(number, SIG_DFL);
}

void install() {
  static std::once_flag once;
  std::call_once(once, [] {
    g_page_bytes = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
    struct sigaction action {};
    action.sa_sigaction = handle_bus_error;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    ::sigaction(SIGBUS, &action, &g_before);
  });
}

}  // namespace

bool watch_mapping(void* begin, std::size_t size_bytes) {
  install();
  const auto address = reinterpret_cast<std::uintptr_t>(begin);
  for (Watched& watched : g_watched) {
    std::uintptr_t none = 0;
    // Taken by an address that holds nothing yet: no read falls into [address, 0).
    if (!watched.begin.compare_exchange_strong(none, address, std::memory_order_acq_rel)) continue;
    watched.is_cut.store(false, std::memory_order_release);
    watched.end.store(address + size_bytes, std::memory_order_release);
    return true;
  }
  return false;
}

bool was_cut(const void* begin) {
  const Watched* const watched = find_watched(reinterpret_cast<std::uintptr_t>(begin));
  return watched != nullptr && watched->is_cut.load(std::memory_order_acquire);
}

void forget_mapping(const void* begin) {
  if (Watched* const watched = find_watched(reinterpret_cast<std::uintptr_t>(begin))) {
    watched->end.store(0, std::memory_order_release);
    watched->begin.store(0, std::memory_order_release);
  }
}

}  // namespace vizd
