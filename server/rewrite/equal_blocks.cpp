#include "rewrite/equal_blocks.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <queue>
#include <tuple>

namespace vizd {
namespace {

using LineAt = std::uint32_t;

constexpr std::size_t kMaxPairs = std::size_t{1} << 24;

// difflib takes the longer of two blocks; of equally long ones, the first in before, then the first in after.
struct IsWorse {
  bool operator()(const EqualBlock& x, const EqualBlock& y) const {
    return std::tuple(x.size, y.a, y.b) < std::tuple(y.size, x.a, x.b);
  }
};

// The places of each line in `after`, without the popular lines, which never start a block.
class LineIndex {
 public:
  LineIndex(const std::vector<LineAt>& before, const std::vector<LineAt>& after, std::size_t line_count)
      : places_(line_count) {
    for (LineAt b = 0; b < after.size(); ++b) places_[after[b]].push_back(b);
    // difflib's autojunk: in a text of 200 lines and more, a line that is over one percent of it is popular.
    std::size_t limit = after.size() >= 200 ? after.size() / 100 + 1 : after.size();
    drop_popular(limit);
    while (pairs(before) > kMaxPairs) drop_popular(limit /= 2);
  }

  const std::vector<LineAt>& places(LineAt line) const { return places_[line]; }

 private:
  void drop_popular(std::size_t limit) {
    for (auto& places : places_) {
      if (places.size() > limit) places.clear();
    }
  }
  std::size_t pairs(const std::vector<LineAt>& before) const {
    std::size_t sum = 0;
    for (const LineAt line : before) sum += places_[line].size();
    return sum;
  }

  std::vector<std::vector<LineAt>> places_;
};

// Finds the equal blocks that SequenceMatcher finds. It searches a window (all of both texts, at first) for the best
// block and then the two windows before and after it. Here every run of equal lines is found once and waits in one
// queue, best first: a run that lies whole in its window is the best of that window, since what is left of any other
// is worse; one that does not is cut at the window's edge and waits again.
class BlockFinder {
 public:
  BlockFinder(const std::vector<LineAt>& before, const std::vector<LineAt>& after, std::size_t line_count,
              const Budget& budget)
      : before_(before), after_(after), index_(before, after, line_count), budget_(budget) {
    add_window(0, static_cast<LineAt>(before.size()), 0, static_cast<LineAt>(after.size()));
  }

  // In order, adjacent ones joined.
  std::vector<EqualBlock> find() {
    find_runs();
    while (!runs_.empty() && budget_.goes_on()) {
      const EqualBlock run = runs_.top();
      runs_.pop();
      place(run);
    }
    // Windows without a run may still begin with popular lines that are equal.
    for (const auto& [a, window] : windows_) {
      EqualBlock block{a, window.b_begin, 0};
      extend(block, a, window);
      if (block.size > 0) blocks_.push_back(block);
    }
    std::ranges::sort(blocks_, {}, &EqualBlock::a);
    std::vector<EqualBlock> joined;
    for (const EqualBlock& block : blocks_) {
      if (!joined.empty() && joined.back().a + joined.back().size == block.a &&
          joined.back().b + joined.back().size == block.b) {
        joined.back().size += block.size;
      } else {
        joined.push_back(block);
      }
    }
    return joined;
  }

 private:
  struct Window {
    LineAt a_end, b_begin, b_end;
  };

  bool indexed(LineAt line) const { return !index_.places(line).empty(); }

  void add_window(LineAt a_begin, LineAt a_end, LineAt b_begin, LineAt b_end) {
    if (a_begin < a_end && b_begin < b_end) windows_[a_begin] = {a_end, b_begin, b_end};
  }

  void find_runs() {
    for (LineAt a = 0; a < before_.size(); ++a) {
      for (const LineAt b : index_.places(before_[a])) {
        if (!budget_.goes_on()) return;
        if (a > 0 && b > 0 && before_[a - 1] == after_[b - 1] && indexed(before_[a - 1])) continue;
        LineAt size = 1;
        while (a + size < before_.size() && b + size < after_.size() && before_[a + size] == after_[b + size] &&
               indexed(before_[a + size])) {
          ++size;
        }
        runs_.push({a, b, size});
      }
    }
  }

  // Takes a run as a block, or cuts it at the edges of the first window it meets.
  void place(const EqualBlock& run) {
    auto it = windows_.upper_bound(run.a);
    if (it != windows_.begin() && std::prev(it)->second.a_end > run.a) --it;
    if (it == windows_.end()) return;
    const auto& [a_begin, window] = *it;
    const LineAt skipped = std::max(a_begin > run.a ? a_begin - run.a : 0,  //
                                    window.b_begin > run.b ? window.b_begin - run.b : 0);
    const LineAt rows = window.a_end > run.a ? window.a_end - run.a : 0;
    const LineAt end = std::min({run.size, rows, window.b_end > run.b ? window.b_end - run.b : 0});
    if (skipped == 0 && end == run.size) return take(run, it);
    if (skipped < end) runs_.push({run.a + skipped, run.b + skipped, end - skipped});
    if (rows < run.size) runs_.push({run.a + rows, run.b + rows, run.size - rows});
  }

  void take(EqualBlock block, std::map<LineAt, Window>::iterator at) {
    const auto [a_begin, window] = *at;
    windows_.erase(at);
    extend(block, a_begin, window);
    blocks_.push_back(block);
    add_window(a_begin, block.a, window.b_begin, block.b);
    add_window(block.a + block.size, window.a_end, block.b + block.size, window.b_end);
  }

  // Grows a block by the equal lines on both sides, popular ones too.
  void extend(EqualBlock& block, LineAt a_begin, const Window& window) const {
    while (block.a > a_begin && block.b > window.b_begin && before_[block.a - 1] == after_[block.b - 1]) {
      --block.a, --block.b, ++block.size;
    }
    while (block.a + block.size < window.a_end && block.b + block.size < window.b_end &&
           before_[block.a + block.size] == after_[block.b + block.size]) {
      ++block.size;
    }
  }

  const std::vector<LineAt>& before_;
  const std::vector<LineAt>& after_;
  LineIndex index_;
  const Budget& budget_;
  std::map<LineAt, Window> windows_;  // by their first line in before; disjoint, in order in both texts
  std::priority_queue<EqualBlock, std::vector<EqualBlock>, IsWorse> runs_;
  std::vector<EqualBlock> blocks_;
};

}  // namespace

std::vector<EqualBlock> equal_blocks(const std::vector<std::uint32_t>& before, const std::vector<std::uint32_t>& after,
                                     std::size_t line_count, const Budget& budget) {
  return BlockFinder(before, after, line_count, budget).find();
}

}  // namespace vizd
