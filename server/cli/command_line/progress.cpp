#include "cli/command_line/progress.h"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>

#include "base/clean_text.h"
#include "base/standard_streams.h"

namespace vizd {
namespace {

constexpr std::chrono::milliseconds kInterval{100};
constexpr std::uint64_t kBarColumns = 30;

}  // namespace

Progress::Progress(std::FILE* out, std::string what, std::chrono::milliseconds patience)
    : out_(out),
      what_(one_line(what, false)),
      is_terminal_(::isatty(::fileno(out)) == 1),
      next_(Clock::now() + patience) {}

Progress::~Progress() {
  if (is_shown_) write_leniently(out_, "\r\x1B[K");
}

void Progress::begin(std::string_view what) { what_ = one_line(what, false); }

void Progress::tell(std::uint64_t done, std::uint64_t of, std::string_view unit) {
  const auto now = Clock::now();
  if (!is_terminal_ || of == 0 || now < next_) return;
  next_ = now + kInterval;
  is_shown_ = true;
  const std::uint64_t filled = kBarColumns * std::min(done, of) / of;
  // The cursor goes back to the line's beginning, so that what else is said begins there.
  write_leniently(out_, fmt::format("\r{} [{:=<{}}{: <{}}] {} of {}{}{}\x1B[K\r", what_, "", filled, "",
                                    kBarColumns - filled, done, of, unit.empty() ? "" : " ", unit));
  std::fflush(out_);
}

}  // namespace vizd
