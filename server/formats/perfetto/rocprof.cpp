#include "formats/perfetto/rocprof.h"

#include <charconv>

namespace vizd::perfetto {
namespace {

// The number in the next brackets; the text goes on behind them.
std::optional<std::int64_t> take_number(std::string_view& text) {
  const auto begin = text.find('['), end = text.find(']');
  if (begin == std::string_view::npos || end == std::string_view::npos || end < begin) return std::nullopt;
  std::int64_t number = 0;
  const char* const stop = text.data() + end;
  const auto [at, failed] = std::from_chars(text.data() + begin + 1, stop, number);
  text.remove_prefix(end + 1);
  return failed == std::errc() && at == stop ? std::optional(number) : std::nullopt;
}

}  // namespace

std::optional<AgentTrack> parse_agent_track(std::string_view name) {
  if (!name.starts_with("COMPUTE ") && !name.starts_with("COPY to ")) return std::nullopt;
  const auto agent = take_number(name);
  const auto lane = take_number(name);
  if (!agent || !lane) return std::nullopt;
  return AgentTrack{*agent, *lane, name.find("CPU") == std::string_view::npos};
}

std::string_view usual_argument(std::string_view name) {
  if (name == "corr_id") return "correlation";
  if (name == "copy_bytes") return "bytes";
  return name;
}

}  // namespace vizd::perfetto
