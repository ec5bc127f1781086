// Reads what GET /api/v1/tiles answers back into spans, as the page does (server/http/API.md).
#pragma once

#include <bit>
#include <cstdint>
#include <stdexcept>
#include <string_view>
#include <vector>

namespace vizd {

class WireReader {
 public:
  explicit WireReader(std::string_view bytes) : bytes_(bytes) {}

  std::uint64_t varint() {
    std::uint64_t value = 0;
    for (unsigned shift = 0;; shift += 7) {
      const std::uint8_t byte = u8();
      value |= std::uint64_t{byte & 0x7Fu} << shift;
      if (byte < 0x80) return value;
    }
  }
  std::int64_t zigzag() {
    const std::uint64_t value = varint();
    return static_cast<std::int64_t>(value >> 1) ^ -static_cast<std::int64_t>(value & 1);
  }
  std::uint8_t u8() {
    if (bytes_.empty()) throw std::runtime_error("the answer ends too early");
    const auto byte = static_cast<std::uint8_t>(bytes_.front());
    bytes_.remove_prefix(1);
    return byte;
  }
  std::uint16_t u16() {
    const std::uint16_t low = u8();
    return static_cast<std::uint16_t>(low | u8() << 8);
  }
  double f64() {
    std::uint64_t bits = 0;
    for (unsigned shift = 0; shift < 64; shift += 8) bits |= std::uint64_t{u8()} << shift;
    return std::bit_cast<double>(bits);
  }
  std::vector<std::uint64_t> varints(std::size_t count) {
    std::vector<std::uint64_t> values(count);
    for (std::uint64_t& value : values) value = varint();
    return values;
  }
  bool at_end() const { return bytes_.empty(); }

 private:
  std::string_view bytes_;
};

struct TileSpan {
  std::uint64_t from = 0, to = 0;  // units from the tile's start
  std::uint64_t first = 0;         // of one event its index
  std::uint64_t count_class = 0;   // of the number of events less 1
  std::uint64_t name = 0;
  unsigned busy = 255, share = 255;
  unsigned traits = 0;  // of one event, as EventColumns has them
  bool is_one() const { return count_class == 0; }
  bool operator==(const TileSpan&) const = default;
};

struct Tick {
  std::uint64_t column = 0, picked = 0;
  bool operator==(const Tick&) const = default;
};

struct RowTile {
  std::uint64_t lane = 0, row = 0, tile = 0;
  std::uint64_t count = 0, busy_ns = 0;
  bool began_before = false;
  std::vector<TileSpan> spans;
  std::vector<Tick> ticks;
  bool operator==(const RowTile&) const = default;
};

struct CounterPoint {
  std::uint64_t column = 0;
  double min = 0, max = 0, last = 0;
};

struct CounterTile {
  std::uint64_t lane = 0, counter = 0, tile = 0;
  std::vector<CounterPoint> points;
};

struct TileAnswer {
  unsigned level = 0;
  std::vector<RowTile> rows;
  std::vector<CounterTile> counters;
};

inline void read_spans(WireReader& in, std::vector<RowTile>& tiles) {
  std::vector<std::uint64_t> spans = in.varints(tiles.size()), first = in.varints(tiles.size());
  const auto count = in.varints(tiles.size()), busy_ns = in.varints(tiles.size());
  std::size_t total = 0;
  for (std::size_t i = 0; i < tiles.size(); ++i) {
    tiles[i].count = count[i];
    tiles[i].busy_ns = busy_ns[i];
    tiles[i].began_before = (first[i] & 1) != 0;
    tiles[i].spans.resize(spans[i]);
    total += spans[i];
  }
  const auto gap = in.varints(total), width = in.varints(total), events = in.varints(total);
  std::size_t k = 0;
  std::vector<TileSpan*> aggregates;
  for (std::size_t i = 0; i < tiles.size(); ++i) {
    std::uint64_t at = 0;
    for (TileSpan& span : tiles[i].spans) {
      span.from = at + gap[k];
      at = span.to = span.from + width[k] + 1;
      span.count_class = events[k++];
      if (!span.is_one()) aggregates.push_back(&span);
    }
  }
  for (std::size_t i = 0; i < tiles.size(); ++i) {
    std::uint64_t known = first[i] / 2;
    for (TileSpan& span : tiles[i].spans) {
      if (!span.is_one()) continue;
      span.first = known + in.varint();
      known = span.first + 1;
    }
  }
  for (RowTile& tile : tiles) {
    for (TileSpan& span : tile.spans) {
      if (span.is_one()) span.traits = in.u8();
    }
  }
  for (TileSpan* span : aggregates) span->busy = in.u8();
  for (TileSpan* span : aggregates) span->share = in.u8();
  for (RowTile& tile : tiles) {
    for (TileSpan& span : tile.spans) span.name = span.share == 0 ? 0 : in.varint();
  }
}

inline void read_ticks(WireReader& in, std::vector<RowTile>& tiles) {
  for (RowTile& tile : tiles) tile.ticks.resize(in.varint());
  for (RowTile& tile : tiles) {
    std::uint64_t column = 0;
    for (Tick& tick : tile.ticks) tick.column = column += in.varint();
  }
  for (RowTile& tile : tiles) {
    for (Tick& tick : tile.ticks) tick.picked = in.varint() + 1;
  }
}

inline void read_counters(WireReader& in, std::vector<CounterTile>& tiles) {
  std::vector<double> low, high;
  for (CounterTile& tile : tiles) tile.points.resize(in.varint());
  for (std::size_t i = 0; i < tiles.size(); ++i) low.push_back(in.f64());
  for (std::size_t i = 0; i < tiles.size(); ++i) high.push_back(in.f64());
  for (CounterTile& tile : tiles) {
    std::uint64_t column = 0;
    for (CounterPoint& point : tile.points) point.column = column += in.varint();
  }
  for (double CounterPoint::*value : {&CounterPoint::min, &CounterPoint::max, &CounterPoint::last}) {
    for (std::size_t i = 0; i < tiles.size(); ++i) {
      for (CounterPoint& point : tiles[i].points) point.*value = low[i] + (high[i] - low[i]) * in.u16() / 65535;
    }
  }
}

inline TileAnswer read_tiles(std::string_view bytes, bool has_ticks = false) {
  WireReader in(bytes);
  if (in.varint() != 5) throw std::runtime_error("not version 5");
  TileAnswer answer;
  answer.level = static_cast<unsigned>(in.varint());
  const std::uint64_t from = in.varint(), to = in.varint(), rows = in.varint(), counters = in.varint();
  const auto lane = in.varints(rows), row = in.varints(rows);
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::uint64_t tile = from; tile <= to; ++tile) {
      answer.rows.emplace_back();
      answer.rows.back().lane = lane[i];
      answer.rows.back().row = row[i];
      answer.rows.back().tile = tile;
    }
  }
  read_spans(in, answer.rows);
  if (has_ticks) read_ticks(in, answer.rows);
  const auto counter_lane = in.varints(counters), counter = in.varints(counters);
  for (std::size_t i = 0; i < counters; ++i) {
    for (std::uint64_t tile = from; tile <= to; ++tile)
      answer.counters.push_back({counter_lane[i], counter[i], tile, {}});
  }
  read_counters(in, answer.counters);
  if (!in.at_end()) throw std::runtime_error("more than the answer says");
  return answer;
}

}  // namespace vizd
