#include "timeline/counter_tiles.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "base/varint.h"

namespace vizd {
namespace {

// The samples of one column of a tile, and what holds at its beginning.
struct Point {
  std::uint64_t column = 0;
  double min = 0, max = 0, last = 0;
};

void append_u16(std::string& out, std::uint16_t value) {
  out.push_back(static_cast<char>(value & 0xFF));
  out.push_back(static_cast<char>(value >> 8));
}

void append_f64(std::string& out, double value) {
  const auto bits = std::bit_cast<std::uint64_t>(value);
  for (unsigned shift = 0; shift < 64; shift += 8) out.push_back(static_cast<char>(bits >> shift & 0xFF));
}

// The points of a tile. Values that are no numbers are left out.
std::vector<Point> points_of(const Counter& counter, std::int64_t from_ns, std::int64_t to_ns, unsigned column_bits) {
  const auto at = counter.at_ns.span();
  auto i = static_cast<std::size_t>(std::ranges::upper_bound(at, from_ns) - at.begin());
  std::vector<Point> points;
  while (i > 0 && !std::isfinite(counter.value[i - 1])) --i;
  if (i > 0) --i;
  for (; i < at.size() && at[i] < to_ns; ++i) {
    const double value = counter.value[i];
    if (!std::isfinite(value)) continue;
    const auto column = static_cast<std::uint64_t>(std::max<std::int64_t>(at[i] - from_ns, 0) >> column_bits);
    if (points.empty() || points.back().column != column) points.push_back({column, value, value, value});
    Point& point = points.back();
    point.min = std::min(point.min, value);
    point.max = std::max(point.max, value);
    point.last = value;
  }
  return points;
}

struct CounterColumns {
  std::string points, low, high, gap, min, max, last;

  void add(const std::vector<Point>& tile) {
    double low_value = 0, high_value = 0;
    if (!tile.empty()) {
      low_value = std::ranges::min(tile, {}, &Point::min).min;
      high_value = std::ranges::max(tile, {}, &Point::max).max;
    }
    append_varint(points, tile.size());
    append_f64(low, low_value);
    append_f64(high, high_value);
    const double range = high_value - low_value;
    const auto scaled = [&](double value) {
      return static_cast<std::uint16_t>(range > 0 ? std::lround((value - low_value) / range * 65535) : 0);
    };
    std::uint64_t last_column = 0;
    for (const Point& point : tile) {
      append_varint(gap, point.column - last_column);
      append_u16(min, scaled(point.min));
      append_u16(max, scaled(point.max));
      append_u16(last, scaled(point.last));
      last_column = point.column;
    }
  }
};

}  // namespace

void append_counter_tiles(std::string& out, const Profile& profile, const TileQuery& query) {
  for (const LaneCounter& where : query.counters) append_varint(out, where.lane);
  for (const LaneCounter& where : query.counters) append_varint(out, where.counter);
  CounterColumns columns;
  for (const LaneCounter& where : query.counters) {
    const Counter& counter = profile.tracks[where.lane].counters[where.counter];
    for (std::uint64_t tile = query.from; tile <= query.to; ++tile) {
      const Window window = tile_window(profile, query.level, tile, query.whole);
      columns.add(points_of(counter, window.from_ns, window.to_ns, window.column_bits));
    }
  }
  for (const std::string* column :
       {&columns.points, &columns.low, &columns.high, &columns.gap, &columns.min, &columns.max, &columns.last})
    out += *column;
}

}  // namespace vizd
