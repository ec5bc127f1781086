#include "rewrite/unified_diff.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdint>
#include <unordered_map>

#include "base/lines.h"
#include "rewrite/equal_blocks.h"

namespace vizd {
namespace {

using Index = std::uint32_t;

constexpr Index kContextLines = 3;

// A stretch of both texts: equal lines, or lines that `after` has instead.
struct Change {
  bool equal;
  Index a_begin, a_end, b_begin, b_end;
};

std::vector<Change> changes_between(const std::vector<EqualBlock>& blocks, Index a_size, Index b_size) {
  std::vector<Change> changes;
  Index a = 0, b = 0;
  const auto add_up_to = [&](Index a_end, Index b_end) {
    if (a < a_end || b < b_end) changes.push_back({false, a, a_end, b, b_end});
  };
  for (const EqualBlock& block : blocks) {
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
  const auto blocks = equal_blocks(a, b, lines.size(), budget);
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
