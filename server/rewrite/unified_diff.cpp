#include "rewrite/unified_diff.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <queue>
#include <tuple>
#include <unordered_map>

#include "base/lines.h"

namespace vizd {
namespace {

using Index = std::uint32_t;

constexpr std::size_t kMaxPairs = std::size_t{1} << 24;
constexpr Index kContextLines = 3;

// before[a .. a+size) and after[b .. b+size) are the same lines.
struct Block {
  Index a = 0, b = 0, size = 0;
};

// difflib takes the longer of two blocks; of equally long ones, the first in before, then the first in after.
struct IsWorse {
  bool operator()(const Block& x, const Block& y) const {
    return std::tuple(x.size, y.a, y.b) < std::tuple(y.size, x.a, x.b);
  }
};

// The places of each line in `after`, without the popular lines, which never start a block.
class LineIndex {
 public:
  LineIndex(const std::vector<Index>& before, const std::vector<Index>& after, std::size_t line_count)
      : places_(line_count) {
    for (Index b = 0; b < after.size(); ++b) places_[after[b]].push_back(b);
    // difflib's autojunk: in a text of 200 lines and more, a line that is over one percent of it is popular.
    std::size_t limit = after.size() >= 200 ? after.size() / 100 + 1 : after.size();
    drop_popular(limit);
    while (pairs(before) > kMaxPairs) drop_popular(limit /= 2);
  }

  const std::vector<Index>& places(Index line) const { return places_[line]; }

 private:
  void drop_popular(std::size_t limit) {
    for (auto& places : places_) {
      if (places.size() > limit) places.clear();
    }
  }
  std::size_t pairs(const std::vector<Index>& before) const {
    std::size_t sum = 0;
    for (const Index line : before) sum += places_[line].size();
    return sum;
  }

  std::vector<std::vector<Index>> places_;
};

// Finds the equal blocks that SequenceMatcher finds. It searches a window (all of both texts, at first) for the best
// block and then the two windows before and after it. Here every run of equal lines is found once and waits in one
// queue, best first: a run that lies whole in its window is the best of that window, since what is left of any other
// is worse; one that does not is cut at the window's edge and waits again.
class BlockFinder {
 public:
  BlockFinder(const std::vector<Index>& before, const std::vector<Index>& after, std::size_t line_count,
              const Budget& budget)
      : before_(before), after_(after), index_(before, after, line_count), budget_(budget) {
    add_window(0, static_cast<Index>(before.size()), 0, static_cast<Index>(after.size()));
  }

  // In order, adjacent ones joined.
  std::vector<Block> find() {
    find_runs();
    while (!runs_.empty() && budget_.goes_on()) {
      const Block run = runs_.top();
      runs_.pop();
      place(run);
    }
    // Windows without a run may still begin with popular lines that are equal.
    for (const auto& [a, window] : windows_) {
      Block block{a, window.b_begin, 0};
      extend(block, a, window);
      if (block.size > 0) blocks_.push_back(block);
    }
    std::ranges::sort(blocks_, {}, &Block::a);
    std::vector<Block> joined;
    for (const Block& block : blocks_) {
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
    Index a_end, b_begin, b_end;
  };

  bool indexed(Index line) const { return !index_.places(line).empty(); }

  void add_window(Index a_begin, Index a_end, Index b_begin, Index b_end) {
    if (a_begin < a_end && b_begin < b_end) windows_[a_begin] = {a_end, b_begin, b_end};
  }

  void find_runs() {
    for (Index a = 0; a < before_.size(); ++a) {
      for (const Index b : index_.places(before_[a])) {
        if (!budget_.goes_on()) return;
        if (a > 0 && b > 0 && before_[a - 1] == after_[b - 1] && indexed(before_[a - 1])) continue;
        Index size = 1;
        while (a + size < before_.size() && b + size < after_.size() && before_[a + size] == after_[b + size] &&
               indexed(before_[a + size])) {
          ++size;
        }
        runs_.push({a, b, size});
      }
    }
  }

  // Takes a run as a block, or cuts it at the edges of the first window it meets.
  void place(const Block& run) {
    auto it = windows_.upper_bound(run.a);
    if (it != windows_.begin() && std::prev(it)->second.a_end > run.a) --it;
    if (it == windows_.end()) return;
    const auto& [a_begin, window] = *it;
    const Index skipped = std::max(a_begin > run.a ? a_begin - run.a : 0,  //
                                   window.b_begin > run.b ? window.b_begin - run.b : 0);
    const Index rows = window.a_end > run.a ? window.a_end - run.a : 0;
    const Index end = std::min({run.size, rows, window.b_end > run.b ? window.b_end - run.b : 0});
    if (skipped == 0 && end == run.size) return take(run, it);
    if (skipped < end) runs_.push({run.a + skipped, run.b + skipped, end - skipped});
    if (rows < run.size) runs_.push({run.a + rows, run.b + rows, run.size - rows});
  }

  void take(Block block, std::map<Index, Window>::iterator at) {
    const auto [a_begin, window] = *at;
    windows_.erase(at);
    extend(block, a_begin, window);
    blocks_.push_back(block);
    add_window(a_begin, block.a, window.b_begin, block.b);
    add_window(block.a + block.size, window.a_end, block.b + block.size, window.b_end);
  }

  // Grows a block by the equal lines on both sides, popular ones too.
  void extend(Block& block, Index a_begin, const Window& window) const {
    while (block.a > a_begin && block.b > window.b_begin && before_[block.a - 1] == after_[block.b - 1]) {
      --block.a, --block.b, ++block.size;
    }
    while (block.a + block.size < window.a_end && block.b + block.size < window.b_end &&
           before_[block.a + block.size] == after_[block.b + block.size]) {
      ++block.size;
    }
  }

  const std::vector<Index>& before_;
  const std::vector<Index>& after_;
  LineIndex index_;
  const Budget& budget_;
  std::map<Index, Window> windows_;  // by their first line in before; disjoint, in order in both texts
  std::priority_queue<Block, std::vector<Block>, IsWorse> runs_;
  std::vector<Block> blocks_;
};

// A stretch of both texts: equal lines, or lines that `after` has instead.
struct Change {
  bool equal;
  Index a_begin, a_end, b_begin, b_end;
};

std::vector<Change> changes_between(const std::vector<Block>& blocks, Index a_size, Index b_size) {
  std::vector<Change> changes;
  Index a = 0, b = 0;
  const auto add_up_to = [&](Index a_end, Index b_end) {
    if (a < a_end || b < b_end) changes.push_back({false, a, a_end, b, b_end});
  };
  for (const Block& block : blocks) {
    add_up_to(block.a, block.b);
    a = block.a + block.size;
    b = block.b + block.size;
    changes.push_back({true, block.a, a, block.b, b});
  }
  add_up_to(a_size, b_size);
  return changes;
}

Index minus_context(Index at, Index least) { return at - least > kContextLines ? at - kContextLines : least; }

// Groups of changes that are near each other, each with its context (difflib's get_grouped_opcodes).
std::vector<std::vector<Change>> hunks_of(std::vector<Change> changes) {
  std::vector<std::vector<Change>> hunks;
  if (changes.empty()) return hunks;
  if (Change& first = changes.front(); first.equal) {
    first.a_begin = minus_context(first.a_end, first.a_begin);
    first.b_begin = minus_context(first.b_end, first.b_begin);
  }
  if (Change& last = changes.back(); last.equal) {
    last.a_end = std::min(last.a_end, last.a_begin + kContextLines);
    last.b_end = std::min(last.b_end, last.b_begin + kContextLines);
  }
  std::vector<Change> hunk;
  for (Change change : changes) {
    if (change.equal && change.a_end - change.a_begin > 2 * kContextLines) {
      hunk.push_back(
          {true, change.a_begin, change.a_begin + kContextLines, change.b_begin, change.b_begin + kContextLines});
      hunks.push_back(std::move(hunk));
      hunk.clear();
      change.a_begin = change.a_end - kContextLines;
      change.b_begin = change.b_end - kContextLines;
    }
    hunk.push_back(change);
  }
  if (hunk.size() != 1 || !hunk.front().equal) hunks.push_back(std::move(hunk));
  return hunks;
}

// Line numbers as a hunk's header gives them: from 1, "FIRST" or "FIRST,COUNT"; an empty range begins a line earlier.
std::string range_text(Index begin, Index end) {
  if (end - begin == 1) return fmt::format("{}", begin + 1);
  return fmt::format("{},{}", end == begin ? begin : begin + 1, end - begin);
}

}  // namespace

std::vector<std::string> unified_diff(std::string_view before, std::string_view after, const Budget& budget) {
  std::unordered_map<std::string_view, Index> lines;
  const auto numbered = [&](const std::vector<std::string_view>& texts) {
    std::vector<Index> numbers;
    for (const auto text : texts)
      numbers.push_back(lines.emplace(text, static_cast<Index>(lines.size())).first->second);
    return numbers;
  };
  const auto a_lines = split_lines(before), b_lines = split_lines(after);
  const auto a = numbered(a_lines), b = numbered(b_lines);
  const auto blocks = BlockFinder(a, b, lines.size(), budget).find();
  const auto hunks = hunks_of(changes_between(blocks, static_cast<Index>(a.size()), static_cast<Index>(b.size())));

  std::vector<std::string> diff;
  if (!hunks.empty()) diff = {"--- \n", "+++ \n"};
  const auto add = [&](char sign, const std::vector<std::string_view>& texts, Index begin, Index end) {
    for (Index i = begin; i < end; ++i) diff.push_back(sign + std::string(texts[i]));
  };
  for (const auto& hunk : hunks) {
    diff.push_back(fmt::format("@@ -{} +{} @@\n", range_text(hunk.front().a_begin, hunk.back().a_end),
                               range_text(hunk.front().b_begin, hunk.back().b_end)));
    for (const Change& change : hunk) {
      if (change.equal) {
        add(' ', a_lines, change.a_begin, change.a_end);
      } else {
        add('-', a_lines, change.a_begin, change.a_end);
        add('+', b_lines, change.b_begin, change.b_end);
      }
    }
  }
  return diff;
}

}  // namespace vizd
