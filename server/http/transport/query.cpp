#include "http/transport/query.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <utility>

#include "http/transport/router.h"

namespace vizd {
namespace {

// Takes the part before the separator off the text; all of it where there is none.
std::string_view take_part(std::string_view& text, char separator) {
  const std::size_t at = text.find(separator);
  const std::string_view part = text.substr(0, at);
  text = at == std::string_view::npos ? std::string_view{} : text.substr(at + 1);
  return part;
}

Error bad(std::string_view name, std::string_view value, std::string_view what) {
  return {ErrorKind::kBadInput, fmt::format("{} must be {}", name, what), std::string(value.substr(0, 40))};
}

constexpr std::size_t kMostCounters = 256;
constexpr std::string_view kRows = "a list like 0,2:0-7: a lane, or rows of it";

bool parse_row_range(std::string_view text, std::uint32_t& first, std::uint32_t& last) {
  const auto read = [](std::string_view part, std::uint32_t& number) {
    const auto [end, failed] = std::from_chars(part.data(), part.data() + part.size(), number);
    return failed == std::errc() && end == part.data() + part.size();
  };
  const std::string_view from = take_part(text, '-');
  if (!read(from, first)) return false;
  last = first;
  return text.empty() || (read(text, last) && last >= first);
}

}  // namespace

Result<std::int64_t> parse_number(const Request& request, std::string_view name, std::int64_t least, std::int64_t most,
                                  std::optional<std::int64_t> fallback) {
  const auto text = request.parameter(name);
  if (!text && fallback) return *fallback;
  std::int64_t number = 0;
  const std::string_view digits = text.value_or("");
  const auto [end, failed] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (failed != std::errc() || end != digits.data() + digits.size() || number < least || number > most)
    return bad(name, digits, fmt::format("a whole number from {} to {}", least, most));
  return number;
}

Result<std::vector<std::uint32_t>> parse_lanes(const Request& request, const Timeline& timeline) {
  const auto text = request.parameter("lanes");
  std::vector<bool> is_wanted(timeline.lanes.size(), !text);
  for (std::string_view rest = text.value_or(""); !rest.empty();) {
    const std::string_view item = take_part(rest, ',');
    std::string_view range = item;
    const auto first = parse_index(take_part(range, '-'), is_wanted.size(), "lane");
    if (!first) return first.error();
    const auto last = range.empty() ? first : parse_index(range, is_wanted.size(), "lane");
    if (!last) return last.error();
    if (*last < *first) return bad("lanes", item, "a list like 0,3-9: lanes, or ranges of them");
    for (std::uint32_t lane = *first; lane <= *last; ++lane) is_wanted[lane] = true;
  }
  std::vector<std::uint32_t> lanes;
  for (std::uint32_t lane = 0; lane < is_wanted.size(); ++lane) {
    if (is_wanted[lane]) lanes.push_back(lane);
  }
  return lanes;
}

Result<std::vector<LaneRow>> parse_rows(const Request& request, const Timeline& timeline, std::size_t most) {
  std::vector<LaneRow> rows;
  const auto add = [&](std::uint32_t lane, std::uint32_t first, std::uint32_t last) {
    const std::uint32_t count = timeline.lanes[lane].row_count();
    for (std::uint32_t row = first; row <= last && row < count && rows.size() <= most; ++row)
      rows.push_back({lane, row});
  };
  const auto text = request.parameter("rows");
  if (!text) {
    for (std::uint32_t lane = 0; lane < timeline.lanes.size(); ++lane) add(lane, 0, kNoId);
  }
  for (std::string_view rest = text.value_or(""); !rest.empty() && rows.size() <= most;) {
    std::string_view item = take_part(rest, ',');
    const auto lane = parse_index(take_part(item, ':'), timeline.lanes.size(), "lane");
    if (!lane) return lane.error();
    std::uint32_t first = 0, last = kNoId;
    if (!item.empty() && !parse_row_range(item, first, last)) return bad("rows", item, kRows);
    add(*lane, first, last);
  }
  if (rows.size() > most)
    return Error{ErrorKind::kTooLarge, fmt::format("at most {} rows at once; ask for fewer", most), "rows"};
  const auto order = [](const LaneRow& row) { return std::pair(row.lane, row.row); };
  if (text && !std::ranges::is_sorted(rows, std::less_equal(), order)) {
    std::ranges::sort(rows, {}, order);
    rows.erase(std::ranges::unique(rows, {}, order).begin(), rows.end());
  }
  return rows;
}

Result<std::vector<LaneCounter>> parse_counters(const Request& request, const Profile& profile) {
  std::vector<LaneCounter> counters;
  for (std::string_view rest = request.parameter("counters").value_or(""); !rest.empty();) {
    std::string_view item = take_part(rest, ',');
    const auto lane = parse_index(take_part(item, ':'), profile.tracks.size(), "lane");
    if (!lane) return lane.error();
    const auto counter = parse_index(item, profile.tracks[*lane].counters.size(), "counter");
    if (!counter) return counter.error();
    if (counters.size() == kMostCounters)
      return Error{ErrorKind::kTooLarge, "too many counters at once; ask for fewer", "counters"};
    counters.push_back({*lane, *counter});
  }
  return counters;
}

}  // namespace vizd
