// Views of memory and the sets that live at a moment, against looking at every allocation.
#include "timeline/memory_view.h"

#include <algorithm>
#include <map>
#include <set>

#include "support/catch.h"
#include "support/made_profile.h"
#include "support/tile_reader.h"
#include "timeline/memory_json.h"

namespace vizd::memory_view_test {
namespace {

struct ReadView {
  std::uint64_t width = 0, height = 0;
  std::vector<std::int64_t> x, index;
  std::vector<std::uint64_t> w, y, h, category;
  std::uint64_t cells_wide = 0, cells_high = 0;
  std::vector<unsigned> coverage;
  std::vector<std::uint64_t> live_column, low, high, last;
  std::vector<std::vector<std::uint64_t>> by_category;
};

std::vector<std::int64_t> sums_of_steps(WireReader& in, std::size_t count) {
  std::vector<std::int64_t> values(count);
  std::int64_t at = 0;
  for (std::int64_t& value : values) value = at += in.zigzag();
  return values;
}

ReadView read_view(std::string_view bytes) {
  WireReader in(bytes);
  REQUIRE(in.varint() == 1);
  ReadView view;
  view.width = in.varint();
  view.height = in.varint();
  const std::uint64_t count = in.varint(), categories = in.varint(), live = in.varint();
  view.x = sums_of_steps(in, count);
  view.w = in.varints(count);
  view.y = in.varints(count);
  view.h = in.varints(count);
  view.category = in.varints(count);
  view.index = sums_of_steps(in, count);
  view.cells_wide = in.varint();
  view.cells_high = in.varint();
  for (std::uint64_t i = 0; i < view.cells_wide * view.cells_high; ++i) view.coverage.push_back(in.u8());
  std::uint64_t column = 0;
  for (const std::uint64_t step : in.varints(live)) view.live_column.push_back(column += step);
  view.low = in.varints(live);
  view.high = in.varints(live);
  view.last = in.varints(live);
  for (std::uint64_t i = 0; i < categories; ++i) view.by_category.push_back(in.varints(live));
  REQUIRE(in.at_end());
  return view;
}

struct Made {
  Track lane;
  LaneMemory memory;
  explicit Made(std::size_t count) {
    lane.allocations = made_allocations(count);
    for (std::size_t i = 0; i < count; ++i)
      lane.allocations[i].category = StringId{static_cast<std::uint32_t>(i % 3 + 1)};
    memory = lane_memory(lane);
  }
  std::int64_t end_ns() const { return memory.layout.live(memory.layout.changes.size() - 1).at_ns; }
  MemoryQuery query(std::int64_t from, std::int64_t to) const {
    MemoryQuery query;
    query.from = from;
    query.to = to;
    query.high_bytes = memory.layout.height_bytes;
    query.width = 800;
    query.height = 300;
    return query;
  }
};

TEST_CASE("every allocation of a pixel both ways is a rectangle of its own, where it is", "[timeline]") {
  const Made made(2'000);
  const std::int64_t end_ns = made.end_ns();
  for (const auto& [from, to] :
       {std::pair<std::int64_t, std::int64_t>{0, end_ns}, {end_ns / 3, end_ns / 2}, {1000, 3000}}) {
    const MemoryQuery query = made.query(from, to);
    const ReadView view = read_view(memory_view(made.lane, made.memory, memory_index(made.lane, made.memory), query));
    std::map<std::int64_t, std::size_t> found;
    for (std::size_t i = 0; i < view.index.size(); ++i) found[view.index[i]] = i;
    const double x_scale = 800.0 / static_cast<double>(to - from);
    const double y_scale = 300.0 / static_cast<double>(query.high_bytes);
    for (std::uint32_t index = 0; index < made.memory.by_birth.size(); ++index) {
      const std::uint32_t place = made.memory.place(index);
      const Allocation& a = made.lane.allocations[place];
      const std::int64_t birth = std::clamp(a.birth_ns, from, to),
                         death = a.freed ? std::clamp(a.death_ns, from, to) : to;
      const double w = static_cast<double>(death - birth) * x_scale, h = static_cast<double>(a.size_bytes()) * y_scale;
      const bool is_seen = w >= 1 + 1e-9 && h >= 1 + 1e-9;
      if (is_seen) REQUIRE(found.contains(index));
      if (!found.contains(index)) continue;
      REQUIRE(w >= 1 - 1e-9);
      REQUIRE(h >= 1 - 1e-9);
      const std::size_t i = found[index];
      REQUIRE(std::abs(static_cast<double>(view.x[i]) - static_cast<double>(birth - from) * x_scale) <= 1);
      REQUIRE(std::abs(static_cast<double>(view.w[i] + 1) - w) <= 1);
      REQUIRE(std::abs(static_cast<double>(view.h[i] + 1) - h) <= 1);
      REQUIRE(view.category[i] == made.memory.category[place]);
    }
  }
}

TEST_CASE("what is no rectangle covers cells: together they cover as much as there is", "[timeline]") {
  const Made made(3'000);
  const std::int64_t end_ns = made.end_ns();
  const MemoryQuery query = made.query(0, end_ns);
  const ReadView view = read_view(memory_view(made.lane, made.memory, memory_index(made.lane, made.memory), query));
  std::set<std::int64_t> shown(view.index.begin(), view.index.end());
  double small_pixels = 0;
  for (std::uint32_t index = 0; index < made.memory.by_birth.size(); ++index) {
    const Allocation& a = made.lane.allocations[made.memory.place(index)];
    if (shown.contains(index)) continue;
    const auto life = static_cast<double>((a.freed ? a.death_ns : end_ns) - a.birth_ns);
    small_pixels += life / static_cast<double>(end_ns) * 800 * static_cast<double>(a.size_bytes()) /
                    static_cast<double>(query.high_bytes) * 300;
  }
  double covered = 0;
  for (const unsigned cell : view.coverage) covered += cell / 255.0 * 16;
  // Cells are rounded up to fifteenths, so that nothing small disappears.
  CHECK(covered >= small_pixels * 0.999);
  CHECK(covered <= small_pixels + 16.0 / 15 * static_cast<double>(view.coverage.size()));
}

TEST_CASE("live bytes come from sums, in every column, and categories add up to the most of it", "[timeline]") {
  const Made made(1'500);
  std::vector<LivePoint> live;
  for (std::size_t i = 0; i < made.memory.layout.changes.size(); ++i) live.push_back(made.memory.layout.live(i));
  for (const bool by_order : {false, true}) {
    MemoryQuery query = made.query(by_order ? 100 : 10'000, by_order ? 900 : 90'000);
    query.by_order = by_order;
    const ReadView view = read_view(memory_view(made.lane, made.memory, memory_index(made.lane, made.memory), query));
    std::map<std::uint64_t, std::pair<std::uint64_t, std::uint64_t>> expected;  // by column: least and most
    std::uint64_t before = 0;
    for (std::size_t i = 0; i < live.size(); ++i) {
      const std::int64_t at = by_order ? static_cast<std::int64_t>(i) : live[i].at_ns;
      if (at < query.from) before = live[i].bytes;
      if (at < query.from || at >= query.to) continue;
      const auto column = static_cast<std::uint64_t>((at - query.from) * 800 / (query.to - query.from));
      auto& [low, high] = expected.try_emplace(column, live[i].bytes, live[i].bytes).first->second;
      low = std::min(low, live[i].bytes);
      high = std::max(high, live[i].bytes);
    }
    auto& first = expected.try_emplace(0, before, before).first->second;
    first = {std::min(first.first, before), std::max(first.second, before)};
    REQUIRE(view.live_column.size() == expected.size());
    for (std::size_t i = 0; i < view.live_column.size(); ++i) {
      const auto& [low, high] = expected.at(view.live_column[i]);
      REQUIRE(view.low[i] == low);
      REQUIRE(view.high[i] == high);
      std::uint64_t sum = 0;
      for (const auto& category : view.by_category) sum += category[i];
      REQUIRE(sum == high);
    }
  }
}

TEST_CASE("the set at the peak is exact, the largest first", "[timeline]") {
  const Made made(5'000);
  std::uint64_t peak_bytes = 0, bytes = 0;
  std::int64_t peak_ns = 0;
  for (std::size_t i = 0; i < made.memory.layout.changes.size(); ++i) {
    const LivePoint point = made.memory.layout.live(i);
    if (point.bytes > peak_bytes) peak_ns = point.at_ns;
    peak_bytes = std::max(peak_bytes, point.bytes);
  }
  const LiveSet set = live_set(made.lane, made.memory, peak_moment(made.memory));
  CHECK(set.bytes == peak_bytes);
  CHECK(made.memory.layout.at_ns[peak_moment(made.memory) - 1] == peak_ns);
  std::set<std::uint32_t> expected;
  for (std::uint32_t i = 0; i < made.lane.allocations.size(); ++i) {
    const Allocation& a = made.lane.allocations[i];
    if (a.birth_ns <= peak_ns && (!a.freed || a.death_ns > peak_ns)) {
      expected.insert(made.memory.index(i));
      bytes += a.size_bytes();
    }
  }
  CHECK(bytes == peak_bytes);
  CHECK(std::set<std::uint32_t>(set.indices.begin(), set.indices.end()) == expected);
  const auto size = [&](std::uint32_t index) { return made.lane.allocations[made.memory.place(index)].size_bytes(); };
  CHECK(std::ranges::is_sorted(set.indices, std::greater(), size));
  CHECK(live_set(made.lane, made.memory, moment_at(made.memory, peak_ns)).indices == set.indices);
  CHECK(peak_moment(made.memory, 0, made.end_ns()) == peak_moment(made.memory));
}

TEST_CASE("allocations with addresses lie at them, without what nobody ever used between", "[timeline]") {
  Track lane;
  const auto add = [&](std::uint64_t address, std::uint64_t size, std::uint32_t birth, std::uint32_t death) {
    Allocation a;
    a.address = address;
    a.count = size;
    a.item_size_bytes = 1;
    a.birth_order = birth;
    a.death_order = death;
    a.birth_ns = birth;
    a.death_ns = death;
    a.freed = true;
    lane.allocations.push_back(a);
  };
  constexpr std::uint64_t kSegment =
      0xFFFF'8000'0000'0000u / 2 + 1;  // the second one lies in the upper half of 64 bits
  add(kSegment + 4096, 100, 0, 6);
  add(kSegment + 4396, 100, 1, 7);                                 // a hole of 200 before it
  add(2 * kSegment, 1000, 2, 5), add(kSegment + 4196, 200, 3, 4);  // another segment; then the hole is filled
  const LaneMemory memory = lane_memory(lane);
  CHECK(memory.layout.addressed);
  for (const auto& [place, offset] :
       std::vector<std::pair<std::uint32_t, std::uint64_t>>{{0, 0}, {1, 300}, {2, 400}, {3, 100}})
    CHECK(memory.layout.offset(place) == offset);
  CHECK(memory.layout.height_bytes == 1400);
  CHECK(allocation_at(lane, memory, 3, 350) == 1);
  CHECK(allocation_at(lane, memory, 4, 150) == kNoId);
}

}  // namespace
}  // namespace vizd::memory_view_test
