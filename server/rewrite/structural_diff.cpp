#include "rewrite/structural_diff.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <unordered_map>

#include "base/lines.h"
#include "rewrite/digest.h"
#include "rewrite/equal_blocks.h"

namespace vizd {
namespace {

constexpr std::uint32_t kNoLine = kNoId;
constexpr std::size_t kAround = 3;

// Which line of the one graph is which of the other.
class LinePairs {
 public:
  LinePairs(const PrintedGraph& before, const PrintedGraph& after, const Budget& budget)
      : before_(before),
        after_(after),
        budget_(budget),
        of_before(before.lines.size(), kNoLine),
        of_after(after.lines.size(), kNoLine) {
    pair_telling();
    pair_between();
    part_rewired();
    find_moved();
  }

  bool is_moved_before(std::size_t line) const { return moved_before_[line]; }
  bool is_moved_after(std::size_t line) const { return moved_after_[line]; }

 private:
  void pair(std::uint32_t a, std::uint32_t b) {
    of_before[a] = b;
    of_after[b] = a;
  }

  // Ops that have the same below them. Each is printed once, so none can be taken for another.
  void pair_telling() {
    std::unordered_map<std::uint64_t, std::uint32_t> numbers;
    std::uint32_t count = 0;
    const auto number = [&](const PrintedGraph& graph) {
      std::vector<std::uint32_t> numbered;
      numbered.reserve(graph.lines.size());
      for (std::size_t i = 0; i < graph.lines.size(); ++i) {
        const auto [found, is_new] =
            graph.is_telling[i] ? numbers.try_emplace(graph.digests[i], count) : std::pair(numbers.end(), true);
        numbered.push_back(is_new ? count : found->second);
        if (is_new) ++count;
      }
      return numbered;
    };
    const auto a = number(before_), b = number(after_);
    for (const EqualBlock& block : equal_blocks(a, b, count, budget_)) {
      for (std::uint32_t i = 0; i < block.size; ++i) pair(block.a + i, block.b + i);
    }
  }

  // In each stretch between two lines that are paired, those that say the same.
  void pair_between() {
    std::uint32_t a = 0, b = 0;
    const auto a_size = static_cast<std::uint32_t>(of_before.size()),
               b_size = static_cast<std::uint32_t>(of_after.size());
    while ((a < a_size || b < b_size) && budget_.goes_on()) {
      std::uint32_t a_end = a, b_end = b;
      while (a_end < a_size && of_before[a_end] == kNoLine) ++a_end;
      while (b_end < b_size && of_after[b_end] == kNoLine) ++b_end;
      if (a < a_end && b < b_end) pair_stretch(a, a_end, b, b_end);
      a = a_end + 1;
      b = b_end + 1;
    }
  }

  void pair_stretch(std::uint32_t a_begin, std::uint32_t a_end, std::uint32_t b_begin, std::uint32_t b_end) {
    std::unordered_map<std::string_view, std::uint32_t> numbers;
    const auto number = [&](const PrintedGraph& graph, std::uint32_t begin, std::uint32_t end) {
      std::vector<std::uint32_t> numbered;
      for (std::uint32_t i = begin; i < end; ++i) {
        const auto next = static_cast<std::uint32_t>(numbers.size());
        numbered.push_back(numbers.try_emplace(graph.lines[i].meaning, next).first->second);
      }
      return numbered;
    };
    const auto a = number(before_, a_begin, a_end), b = number(after_, b_begin, b_end);
    for (const EqualBlock& block : equal_blocks(a, b, numbers.size(), budget_)) {
      for (std::uint32_t i = 0; i < block.size; ++i) pair(a_begin + block.a + i, b_begin + block.b + i);
    }
  }

  // A line that names another op than before has changed, whatever else it says.
  void part_rewired() {
    const auto lines_of = [](const PrintedGraph& graph) {
      std::unordered_map<OpId, std::uint32_t> lines;
      for (std::size_t i = 0; i < graph.lines.size(); ++i) {
        if (!graph.lines[i].is_again) lines.try_emplace(graph.lines[i].op, static_cast<std::uint32_t>(i));
      }
      return lines;
    };
    const auto a_lines = lines_of(before_), b_lines = lines_of(after_);
    std::vector<std::uint32_t> rewired;
    for (std::uint32_t a = 0; a < of_before.size(); ++a) {
      if (of_before[a] == kNoLine) continue;
      const auto &a_names = before_.lines[a].names, &b_names = after_.lines[of_before[a]].names;
      const bool is_same = std::ranges::equal(a_names, b_names, [&](OpId x, OpId y) {
        const auto found = a_lines.find(x), other = b_lines.find(y);
        return found != a_lines.end() && other != b_lines.end() && of_before[found->second] == other->second;
      });
      if (!is_same) rewired.push_back(a);
    }
    for (const std::uint32_t a : rewired) {
      of_after[of_before[a]] = kNoLine;
      of_before[a] = kNoLine;
    }
  }

  // An op that has the same below it as before, and stands elsewhere.
  void find_moved() {
    moved_before_.resize(of_before.size());
    moved_after_.resize(of_after.size());
    std::unordered_map<std::uint64_t, std::uint32_t> left;
    const auto may_move = [](const PrintedGraph& graph, std::size_t i) {
      return graph.digests[i] != 0 && !graph.lines[i].is_again && graph.lines[i].names.empty();
    };
    for (std::uint32_t a = 0; a < of_before.size(); ++a) {
      if (of_before[a] == kNoLine && may_move(before_, a)) left.try_emplace(before_.digests[a], a);
    }
    for (std::uint32_t b = 0; b < of_after.size(); ++b) {
      if (of_after[b] != kNoLine || !may_move(after_, b)) continue;
      if (const auto found = left.find(after_.digests[b]); found != left.end()) {
        moved_before_[found->second] = true;
        moved_after_[b] = true;
        left.erase(found);
      }
    }
  }

  const PrintedGraph& before_;
  const PrintedGraph& after_;
  const Budget& budget_;
  std::vector<bool> moved_before_;
  std::vector<bool> moved_after_;

 public:
  // By line: the other graph's; kNoLine: it has none.
  std::vector<std::uint32_t> of_before;
  std::vector<std::uint32_t> of_after;
};

struct DiffRow {
  char sign;
  std::string_view text;
};

// All lines of both graphs, each once.
std::vector<DiffRow> rows_of(const PrintedGraph& before, const PrintedGraph& after, const LinePairs& pairs) {
  std::vector<DiffRow> rows;
  std::size_t a = 0, b = 0;
  while (a < before.lines.size() || b < after.lines.size()) {
    for (; a < before.lines.size() && pairs.of_before[a] == kNoLine; ++a) {
      if (!pairs.is_moved_before(a)) rows.push_back({'-', before.lines[a].text});
    }
    for (; b < after.lines.size() && pairs.of_after[b] == kNoLine; ++b) {
      rows.push_back({pairs.is_moved_after(b) ? '~' : '+', after.lines[b].text});
    }
    if (b < after.lines.size()) rows.push_back({' ', after.lines[b].text});
    ++a, ++b;
  }
  return rows;
}

// A line's text may go over several: a value that is printed whole.
void add_row(std::vector<std::string>& diff, const DiffRow& row) {
  for (std::size_t begin = 0; begin <= row.text.size();) {
    const std::size_t end = std::min(row.text.find('\n', begin), row.text.size());
    diff.push_back(row.sign + std::string(row.text.substr(begin, end - begin)));
    begin = end + 1;
  }
}

// For a dialect that does not map lines to ops, a line is its text.
std::vector<PrintedLine> plain_lines(std::string_view text) {
  std::vector<PrintedLine> lines;
  for (const std::string_view line : split_lines(text)) {
    PrintedLine& printed = lines.emplace_back();
    printed.text = line;
    printed.meaning = line.substr(std::min(line.find_first_not_of(' '), line.size()));
  }
  return lines;
}

}  // namespace

std::string PrintedGraph::text() const {
  std::string text;
  for (const PrintedLine& line : lines) {
    if (&line != lines.data()) text += '\n';
    text += line.text;
  }
  return text;
}

PrintedGraph printed_graph(const OpGraph& graph, OpAnalysis& analysis, OpId root) {
  std::unordered_map<OpId, std::uint64_t> digests;
  for (const OpId id : toposort(graph, root)) {
    const Op op = graph.op(id);
    Digest digest(op.kind);
    digest.add(index(op.dtype)).add(index(op.arg)).add(index(op.tag));
    for (const OpId source : op.src) digest.add(digests.at(source));
    digests.emplace(id, digest.value() | 1);
  }
  PrintedGraph printed;
  auto* printer = dynamic_cast<PrintsLines*>(&analysis);
  printed.lines = printer != nullptr ? printer->print_lines(root) : plain_lines(analysis.print(root));
  for (const PrintedLine& line : printed.lines) {
    const auto found = digests.find(line.op);
    printed.digests.push_back(found == digests.end() ? 0 : found->second);
    printed.is_telling.push_back(found != digests.end() && !line.is_again && !graph.src(line.op).empty());
  }
  return printed;
}

std::vector<std::string> structural_diff(const PrintedGraph& before, const PrintedGraph& after, const Budget& budget) {
  const LinePairs pairs(before, after, budget);
  const auto rows = rows_of(before, after, pairs);
  std::vector<bool> is_near(rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (rows[i].sign == ' ') continue;
    const std::size_t end = std::min(i + kAround + 1, rows.size());
    for (std::size_t near = i - std::min(i, kAround); near < end; ++near) is_near[near] = true;
  }
  std::vector<std::string> diff;
  if (std::ranges::find(is_near, true) == is_near.end()) return diff;
  for (std::size_t i = 0; i < rows.size();) {
    std::size_t end = i;
    while (end < rows.size() && !is_near[end]) ++end;
    if (end - i == 1) {
      add_row(diff, rows[i]);  // to say that it is left out takes as much room
    } else if (end > i) {
      diff.push_back(fmt::format("@@ {} lines unchanged @@", end - i));
    }
    for (; end < rows.size() && is_near[end]; ++end) add_row(diff, rows[end]);
    i = end;
  }
  return diff;
}

}  // namespace vizd
