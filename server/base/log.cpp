#include "base/log.h"

#include <atomic>
#include <chrono>
#include <cstdio>
#include <mutex>

#include "base/standard_streams.h"

namespace vizd {
namespace {

// The level is process-wide like stderr itself: the one piece of state that is not passed around.
std::atomic<LogLevel> g_level{LogLevel::kInfo};

constexpr std::string_view kNames[] = {"debug", "info", "warning", "error"};

}  // namespace

void set_log_level(LogLevel level) { g_level.store(level, std::memory_order_relaxed); }

bool log_enabled(LogLevel level) { return level >= g_level.load(std::memory_order_relaxed); }

void log_line(LogLevel level, std::string_view message) {
  static std::mutex mutex;
  static const auto start = std::chrono::steady_clock::now();
  const std::chrono::duration<double> since = std::chrono::steady_clock::now() - start;
  const std::lock_guard lock(mutex);
  print_error("{:<7} {:8.3f} {}\n", kNames[static_cast<int>(level)], since.count(), message);
}

}  // namespace vizd
