// The log: one line an event on stderr, "LEVEL seconds-since-start message". Any thread may call it.
// Never log a token or a query string.
#pragma once

#include <fmt/core.h>

#include <string_view>

namespace vizd {

enum class LogLevel { kDebug, kInfo, kWarning, kError, kSilent };

// Sets the least level printed; kInfo before the first call.
void set_log_level(LogLevel level);
bool log_enabled(LogLevel level);
void log_line(LogLevel level, std::string_view message);

template <typename... Args>
void log(LogLevel level, fmt::format_string<Args...> format, Args&&... args) {
  if (log_enabled(level)) log_line(level, fmt::format(format, std::forward<Args>(args)...));
}

}  // namespace vizd
