#include "timeline/memory_view.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/varint.h"

namespace vizd {
namespace {

constexpr double kPixelsPerCell = 4;
// More rectangles than this would be smaller than anyone can tell apart; the smallest join the coverage.
constexpr std::size_t kMostRectangles = 6000;
// Sixteen degrees of coverage are as many as can be told apart, and pack well.
constexpr double kCoverageSteps = 15;

// An allocation in pixels, cut to the view.
struct Rectangle {
  double x0, x1, y0, y1;
  std::uint32_t index;
  double area() const { return (x1 - x0) * (y1 - y0); }
};

// How much of each cell is covered, by rectangles that may be much smaller than one.
class Coverage {
 public:
  Coverage(std::uint64_t width, std::uint64_t height)
      : wide_(cells(width)), high_(cells(height)), steps_((wide_ + std::size_t{2}) * high_) {}

  void add(const Rectangle& r) {
    const double x0 = r.x0 / kPixelsPerCell, x1 = r.x1 / kPixelsPerCell;
    const double y0 = r.y0 / kPixelsPerCell, y1 = r.y1 / kPixelsPerCell;
    for (auto cell = static_cast<std::size_t>(y0); cell < high_ && static_cast<double>(cell) < y1; ++cell) {
      const auto low = static_cast<double>(cell);
      const double share = std::min(y1, low + 1) - std::max(y0, low);
      add_edge(cell, x0, share);
      add_edge(cell, x1, -share);
    }
  }

  void write(std::string& out) const {
    append_varint(out, wide_);
    append_varint(out, high_);
    for (std::size_t row = 0; row < high_; ++row) {
      double covered = 0;
      for (std::size_t x = 0; x < wide_; ++x) {
        covered += steps_[row * (wide_ + 2) + x];
        const double step = std::ceil(std::clamp(covered, 0.0, 1.0) * kCoverageSteps - 1e-9);
        out.push_back(static_cast<char>(static_cast<unsigned char>(std::max(step, 0.0) * 255 / kCoverageSteps)));
      }
    }
  }

 private:
  static std::uint32_t cells(std::uint64_t pixels) {
    return static_cast<std::uint32_t>((static_cast<double>(pixels) + kPixelsPerCell - 1) / kPixelsPerCell);
  }
  // From x on, the row of cells is covered by that share more: of the cell with x in it only the part after x.
  void add_edge(std::size_t row, double x, double share) {
    const auto cell = std::min<std::size_t>(static_cast<std::size_t>(x), wide_);
    const double part = std::clamp(static_cast<double>(cell + 1) - x, 0.0, 1.0);
    double* const steps = &steps_[row * (wide_ + 2)];
    steps[cell] += share * part;
    steps[cell + 1] += share * (1 - part);
  }

  std::uint32_t wide_, high_;
  std::vector<double> steps_;  // what each cell has more than the one before
};

// The bytes live in each column of the view, and how they are made up at the most of it.
class LiveColumns {
 public:
  LiveColumns(const Track& lane, const LaneMemory& memory, const MemoryIndex& index, const MemoryQuery& query)
      : lane_(lane), memory_(memory), index_(index), query_(query) {
    find_extremes();
    split_by_category();
  }

  std::size_t size() const { return columns_.size(); }

  void write(std::string& out) const {
    std::uint64_t last = 0;
    for (const LiveColumn& column : columns_) {
      append_varint(out, column.column - last);
      last = column.column;
    }
    for (const LiveColumn& column : columns_) append_varint(out, column.low);
    for (const LiveColumn& column : columns_) append_varint(out, column.high);
    for (const LiveColumn& column : columns_) append_varint(out, column.last);
    for (std::size_t category = 0; category < memory_.categories.size(); ++category) {
      for (std::size_t i = 0; i < columns_.size(); ++i)
        append_varint(out, by_category_[i * memory_.categories.size() + category]);
    }
  }

 private:
  struct LiveColumn {
    std::uint64_t column;
    std::uint64_t low, high, last;
    std::size_t high_at;  // number of changes done when it is highest
  };

  std::int64_t place_of(std::size_t change) const {
    return query_.by_order ? static_cast<std::int64_t>(change) : memory_.layout.at_ns[change];
  }

  // The column of a change in the view; the width if the change comes after it.
  std::uint64_t column_of(std::size_t change) const {
    const std::int64_t at = place_of(change);
    if (at >= query_.to) return query_.width;
    return std::min(static_cast<std::uint64_t>(static_cast<double>(at - query_.from) * scale_), query_.width - 1);
  }

  // The value at the view's beginning counts for its first column, and what holds in a column for those without
  // changes after it, which are not listed.
  void find_extremes() {
    constexpr std::size_t kBlock = MemoryIndex::kBlock;
    const MemoryLayout& layout = memory_.layout;
    const std::size_t changes = layout.changes.size();
    std::size_t i = 0;
    if (query_.by_order) {
      i = static_cast<std::size_t>(std::clamp<std::int64_t>(query_.from, 0, static_cast<std::int64_t>(changes)));
    } else {
      i = layout.at_ns.lower_bound(query_.from);
    }
    const std::uint64_t before = i == 0 ? 0 : layout.live(i - 1).bytes;
    columns_.push_back({0, before, before, before, i});
    while (i < changes) {
      const std::uint64_t column = column_of(i);
      if (column == query_.width) return;
      const std::size_t end = i + kBlock;
      // A block that lies in one column counts as a whole.
      if (i % kBlock == 0 && end <= changes && column_of(end - 1) == column) {
        add(column, index_.live[i / kBlock], layout.live(end - 1).bytes);
        i = end;
      } else {
        const std::uint64_t bytes = layout.live(i).bytes;
        add(column, {bytes, bytes, i}, bytes);
        ++i;
      }
    }
  }

  void add(std::uint64_t column, const MemoryIndex::Extremes& live, std::uint64_t last) {
    if (columns_.back().column != column) columns_.push_back({column, live.low, live.high, last, live.high_at + 1});
    LiveColumn& here = columns_.back();
    here.low = std::min(here.low, live.low);
    here.last = last;
    if (live.high > here.high) here.high = live.high, here.high_at = live.high_at + 1;
  }

  void split_by_category() {
    constexpr std::size_t kStep = MemoryIndex::kChangesOfSplit;
    const std::size_t categories = memory_.categories.size();
    const std::size_t last_split = (std::max<std::size_t>(memory_.layout.changes.size(), 1) - 1) / kStep;
    std::vector<std::uint64_t> bytes(categories);
    std::size_t done = 0;
    for (const LiveColumn& column : columns_) {
      const std::size_t known = std::min(column.high_at / kStep, last_split);
      if (known * kStep > done) {
        std::ranges::copy(index_.split(known, categories), bytes.begin());
        done = known * kStep;
      }
      for (; done < column.high_at; ++done) add_change(lane_, memory_, memory_.layout.change(done), bytes);
      by_category_.insert(by_category_.end(), bytes.begin(), bytes.end());
    }
  }

  const Track& lane_;
  const LaneMemory& memory_;
  const MemoryIndex& index_;
  const MemoryQuery& query_;
  const double scale_ = static_cast<double>(query_.width) / static_cast<double>(query_.to - query_.from);
  std::vector<LiveColumn> columns_;
  std::vector<std::uint64_t> by_category_;  // columns times categories
};

class View {
 public:
  // is_exact: no rectangle is too small.
  View(const Track& lane, const LaneMemory& memory, const MemoryIndex& index, const MemoryQuery& query, bool is_exact)
      : lane_(lane),
        memory_(memory),
        index_(index),
        query_(query),
        is_exact_(is_exact),
        coverage_(is_exact ? 0 : query.width, is_exact ? 0 : query.height) {}

  std::string build() {
    place_all();
    if (rectangles_.size() > kMostRectangles && !is_exact_) drop_smallest();
    std::string out;
    const LiveColumns live(lane_, memory_, index_, query_);
    for (const std::uint64_t number :
         {std::uint64_t{1}, std::uint64_t{query_.width}, std::uint64_t{query_.height},
          std::uint64_t{rectangles_.size()}, std::uint64_t{memory_.categories.size()}, std::uint64_t{live.size()}})
      append_varint(out, number);
    write_rectangles(out);
    coverage_.write(out);
    live.write(out);
    return out;
  }

 private:
  void place_all() {
    const auto& last_deaths = query_.by_order ? index_.last_death_order : index_.last_death_ns;
    std::array<std::int64_t, MemoryIndex::kBlock> room;
    for (std::size_t block = 0; block < last_deaths.size(); ++block) {
      if (last_deaths[block] < query_.from) continue;
      auto index = static_cast<std::uint32_t>(block * MemoryIndex::kBlock);
      for (const std::int64_t place : memory_.by_birth.block(block, room)) {
        if (!place_one(static_cast<std::uint32_t>(place), index++)) return;
      }
    }
  }

  // False where neither it nor any after it, in the order of births, is in the view.
  bool place_one(std::uint32_t place, std::uint32_t index) {
    const Allocation& a = lane_.allocations[place];
    const std::int64_t birth = query_.by_order ? memory_.layout.birth[place] : a.birth_ns;
    if (birth >= query_.to) return query_.by_order;
    const std::int64_t death = death_of(lane_, memory_, place, query_.by_order);
    const std::uint64_t low = memory_.layout.offset(place);
    const std::uint64_t high = a.size_bytes() > ~low ? ~std::uint64_t{0} : low + a.size_bytes();
    if (death < query_.from || low >= query_.high_bytes || high <= query_.low_bytes) return true;
    const auto x = [&](std::int64_t at) {
      return static_cast<double>(std::clamp(at, query_.from, query_.to) - query_.from) * x_scale_;
    };
    const auto y = [&](std::uint64_t at) {
      return static_cast<double>(std::clamp(at, query_.low_bytes, query_.high_bytes) - query_.low_bytes) * y_scale_;
    };
    const Rectangle rectangle{x(birth), x(death), y(low), y(high), index};
    const bool is_seen = is_exact_ || (rectangle.x1 - rectangle.x0 >= 1 && rectangle.y1 - rectangle.y0 >= 1);
    if (is_seen) {
      rectangles_.push_back(rectangle);
    } else {
      coverage_.add(rectangle);
    }
    return true;
  }

  void drop_smallest() {
    const auto kept = rectangles_.begin() + kMostRectangles;
    std::ranges::nth_element(rectangles_, kept, std::greater(), &Rectangle::area);
    for (auto r = kept; r != rectangles_.end(); ++r) coverage_.add(*r);
    rectangles_.resize(kMostRectangles);
    std::ranges::sort(rectangles_, {}, &Rectangle::index);
  }

  void write_rectangles(std::string& out) const {
    const auto column = [&](auto&& number_of) {
      for (const Rectangle& r : rectangles_) append_varint(out, number_of(r));
    };
    const auto pixel = [](double at, std::uint64_t pixels) {
      return static_cast<std::int64_t>(std::min(std::floor(at), static_cast<double>(pixels - 1)));
    };
    // At least a pixel wide; both edges rounded the same way, so that neighbours touch and do not overlap.
    const auto extent = [&](double from, double to, std::uint64_t pixels) {
      return static_cast<std::uint64_t>(
          std::max<std::int64_t>(static_cast<std::int64_t>(std::floor(to)) - pixel(from, pixels) - 1, 0));
    };
    std::int64_t last_x = 0, last_index = 0;
    column([&](const Rectangle& r) {
      const std::int64_t x = pixel(r.x0, query_.width), step = x - last_x;
      last_x = x;
      return zigzag(step);
    });
    column([&](const Rectangle& r) { return extent(r.x0, r.x1, query_.width); });
    column([&](const Rectangle& r) { return static_cast<std::uint64_t>(pixel(r.y0, query_.height)); });
    column([&](const Rectangle& r) { return extent(r.y0, r.y1, query_.height); });
    column([&](const Rectangle& r) { return std::uint64_t{memory_.category[memory_.place(r.index)]}; });
    column([&](const Rectangle& r) {
      const std::int64_t step = std::int64_t{r.index} - last_index;
      last_index = r.index;
      return zigzag(step);
    });
  }

  const Track& lane_;
  const LaneMemory& memory_;
  const MemoryIndex& index_;
  const MemoryQuery& query_;
  const bool is_exact_;
  const double x_scale_ = static_cast<double>(query_.width) / static_cast<double>(query_.to - query_.from);
  const double y_scale_ =
      static_cast<double>(query_.height) / static_cast<double>(query_.high_bytes - query_.low_bytes);
  std::vector<Rectangle> rectangles_;  // in order of index
  Coverage coverage_;
};

}  // namespace

std::string memory_view(const Track& lane, const LaneMemory& memory, const MemoryIndex& index,
                        const MemoryQuery& query) {
  return View(lane, memory, index, query, false).build();
}

std::string whole_memory(const Profile& profile, const Track& lane, const LaneMemory& memory, bool by_order) {
  MemoryQuery query;
  query.by_order = by_order;
  query.from = by_order ? 0 : profile.start_ns;
  const auto changes = static_cast<std::int64_t>(memory.layout.changes.size());
  query.to = std::max(by_order ? changes : profile.end_ns, query.from + 1);
  query.high_bytes = std::max<std::uint64_t>(memory.layout.height_bytes, 1);
  query.width = static_cast<std::uint64_t>(query.to - query.from);
  query.height = query.high_bytes;
  return View(lane, memory, memory_index(lane, memory), query, true).build();
}

}  // namespace vizd
