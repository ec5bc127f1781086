#include "base/regexp.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/utf8.h"

namespace vizd {
namespace {

using Ranges = std::vector<std::pair<char32_t, char32_t>>;

constexpr char32_t kLast = 0x10ffff;
constexpr std::size_t kMostSteps = 4000;
constexpr int kMostDepth = 100;
constexpr std::uint32_t kMostTimes = 1000;

bool is_word(char32_t code) {
  return (code >= 'a' && code <= 'z') || (code >= 'A' && code <= 'Z') || (code >= '0' && code <= '9') || code == '_';
}

// The ranges of \d, \w, \s and their opposites in capital letters; empty for another letter.
Ranges ranges_of(char32_t letter) {
  Ranges ranges;
  const char32_t small = letter >= 'A' && letter <= 'Z' ? letter - 'A' + 'a' : letter;
  if (small == 'd') ranges = {{'0', '9'}};
  if (small == 'w') ranges = {{'0', '9'}, {'A', 'Z'}, {'_', '_'}, {'a', 'z'}};
  if (small == 's') ranges = {{'\t', '\r'}, {' ', ' '}};
  if (small == letter || ranges.empty()) return ranges;
  Ranges others;
  char32_t from = 0;
  for (const auto& [first, last] : ranges) {
    if (first > from) others.emplace_back(from, first - 1);
    from = last + 1;
  }
  others.emplace_back(from, kLast);
  return others;
}

struct ClassName {
  std::string_view name;
  Ranges ranges;
};
const ClassName kClasses[] = {
    {"alpha", {{'A', 'Z'}, {'a', 'z'}}},
    {"digit", {{'0', '9'}}},
    {"alnum", {{'0', '9'}, {'A', 'Z'}, {'a', 'z'}}},
    {"upper", {{'A', 'Z'}}},
    {"lower", {{'a', 'z'}}},
    {"space", {{'\t', '\r'}, {' ', ' '}}},
    {"punct", {{'!', '/'}, {':', '@'}, {'[', '`'}, {'{', '~'}}},
    {"xdigit", {{'0', '9'}, {'A', 'F'}, {'a', 'f'}}},
};

}  // namespace

// Reads an expression into steps.
class RegexpReader {
 public:
  explicit RegexpReader(std::string_view text) : text_(text) {}

  Result<Regexp> read() {
    take_choice(0);
    if (error_.empty() && at_ < text_.size()) error_ = "a bracket is closed that was not opened";
    add({Kind::kMatch});
    if (!error_.empty())
      return Error{ErrorKind::kBadInput, fmt::format("the regular expression '{}': {}", text_, error_), ""};
    return std::move(made_);
  }

 private:
  using Kind = Regexp::Kind;
  using Step = Regexp::Step;

  std::vector<Step>& steps() { return made_.steps_; }
  std::uint32_t size() { return static_cast<std::uint32_t>(steps().size()); }
  bool is_next(char c) const { return at_ < text_.size() && text_[at_] == c; }
  bool is_wrong() const { return !error_.empty(); }

  void add(Step step) {
    if (steps().size() >= kMostSteps) error_ = "it is too long, or repeats too much";
    if (!is_wrong()) steps().push_back(std::move(step));
  }
  // Puts a step before those from there on, which move on by one.
  void insert(std::uint32_t at, Step step) {
    add({Kind::kMatch});
    if (is_wrong()) return;
    std::rotate(steps().begin() + at, steps().end() - 1, steps().end());
    for (std::uint32_t i = at + 1; i < size(); ++i) {
      if (steps()[i].to >= at && steps()[i].kind != Kind::kOneOf) ++steps()[i].to;
      if (steps()[i].or_to >= at) ++steps()[i].or_to;
    }
    steps()[at] = std::move(step);
  }

  // A|B|C
  void take_choice(int depth) {
    if (depth > kMostDepth) error_ = "its brackets are nested too deeply";
    const std::uint32_t begin = size();
    std::vector<std::uint32_t> ends;
    while (!is_wrong()) {
      const std::uint32_t from = ends.empty() ? begin : size();
      take_sequence(depth);
      if (is_wrong() || !is_next('|')) break;
      ++at_;
      // Either what was just read, or what follows.
      insert(from, {Kind::kFork, from + 1, size() + 2});
      ends.push_back(size());
      add({Kind::kJump});
    }
    for (const std::uint32_t end : ends) {
      if (!is_wrong()) steps()[end].to = size();
    }
  }

  void take_sequence(int depth) {
    while (!is_wrong() && at_ < text_.size() && text_[at_] != '|' && text_[at_] != ')') {
      const std::uint32_t begin = size();
      take_one(depth);
      while (!is_wrong() && take_repeat(begin)) {
      }
    }
  }

  void take_one(int depth) {
    const char32_t code = next_code_point(text_, at_);
    if (code == '(') {
      if (text_.substr(at_, 2) == "?:") at_ += 2;
      take_choice(depth + 1);
      if (!is_wrong() && !is_next(')')) error_ = "a bracket is not closed";
      ++at_;
    } else if (code == '[') {
      take_set();
    } else if (code == '.') {
      add({Kind::kNoneOf});
    } else if (code == '^') {
      add({Kind::kBegin});
    } else if (code == '$') {
      add({Kind::kEnd});
    } else if (code == '\\') {
      take_escape();
    } else if (code == '*' || code == '+' || code == '?') {
      error_ = "there is nothing to repeat";
    } else {
      add({Kind::kOneOf, 0, 0, {{code, code}}});
    }
  }

  void take_escape() {
    if (at_ == text_.size()) {
      error_ = "it ends with \\";
      return;
    }
    const char32_t code = next_code_point(text_, at_);
    if (code == 'b') return add({Kind::kWordEdge});
    Ranges ranges = ranges_of(code);
    const char32_t plain = code == 'n' ? U'\n' : code == 't' ? U'\t' : code == 'r' ? U'\r' : code;
    if (ranges.empty()) ranges = {{plain, plain}};
    add({Kind::kOneOf, 0, 0, std::move(ranges)});
  }

  void take_set() {
    Step step{is_next('^') ? Kind::kNoneOf : Kind::kOneOf};
    if (is_next('^')) ++at_;
    for (bool is_first = true; at_ < text_.size() && (is_first || text_[at_] != ']'); is_first = false) {
      if (text_.substr(at_, 2) == "[:") {
        const std::size_t end = text_.find(":]", at_);
        const std::string_view name = text_.substr(at_ + 2, end == std::string_view::npos ? 0 : end - at_ - 2);
        const auto found = std::ranges::find(kClasses, name, &ClassName::name);
        if (found == std::end(kClasses)) {
          error_ = fmt::format("no such class '{}'", name);
          return;
        }
        step.ranges.insert(step.ranges.end(), found->ranges.begin(), found->ranges.end());
        at_ = end + 2;
        continue;
      }
      char32_t first = next_code_point(text_, at_);
      if (first == '\\' && at_ < text_.size()) {
        first = next_code_point(text_, at_);
        if (const Ranges ranges = ranges_of(first); !ranges.empty()) {
          step.ranges.insert(step.ranges.end(), ranges.begin(), ranges.end());
          continue;
        }
        first = first == 'n' ? U'\n' : first == 't' ? U'\t' : first;
      }
      char32_t last = first;
      if (is_next('-') && at_ + 1 < text_.size() && text_[at_ + 1] != ']') {
        ++at_;
        last = next_code_point(text_, at_);
      }
      step.ranges.emplace_back(first, last);
    }
    if (!is_next(']')) error_ = "a set [ is not closed";
    ++at_;
    add(std::move(step));
  }

  // *, +, ? or {m,n} behind the steps from there on; false where there is none.
  bool take_repeat(std::uint32_t begin) {
    const char sign = at_ < text_.size() ? text_[at_] : '\0';
    std::uint32_t least = sign == '+' ? 1 : 0, most = sign == '?' ? 1 : kNoEnd;
    if (sign == '{') {
      if (!take_times(least, most)) return false;
    } else if (sign == '*' || sign == '+' || sign == '?') {
      ++at_;
    } else {
      return false;
    }
    if (is_next('?')) ++at_;
    repeat(begin, least, most);
    return true;
  }

  bool take_times(std::uint32_t& least, std::uint32_t& most) {
    const std::size_t close = text_.find('}', at_);
    const auto number = [&](std::uint32_t& value) {
      const std::size_t begin = at_;
      value = 0;
      for (; at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9'; ++at_)
        value = std::min(value * 10 + static_cast<std::uint32_t>(text_[at_] - '0'), kMostTimes + 1);
      return at_ > begin;
    };
    ++at_;
    const bool has_least = number(least);
    most = least;
    if (is_next(',')) {
      ++at_;
      if (!number(most)) most = kNoEnd;
    }
    const bool is_right =
        has_least && at_ == close && least <= kMostTimes && (most == kNoEnd || most <= kMostTimes) && least <= most;
    if (!is_right) error_ = "the text in { } is not a number of repetitions";
    ++at_;
    return is_right;
  }

  void repeat(std::uint32_t begin, std::uint32_t least, std::uint32_t most) {
    const std::vector<Step> once(steps().begin() + begin, steps().end());
    const auto add_once = [&] {
      const std::uint32_t by = size() - begin;
      for (Step step : once) {
        if (is_wrong()) return;
        step.to += by;
        step.or_to += by;
        add(std::move(step));
      }
    };
    steps().resize(begin);
    for (std::uint32_t i = 0; i < least && !is_wrong(); ++i) add_once();
    if (most == kNoEnd) {
      const std::uint32_t fork = size();
      add({Kind::kFork, fork + 1, 0});
      add_once();
      add({Kind::kJump, fork});
      if (!is_wrong()) steps()[fork].or_to = size();
      return;
    }
    std::vector<std::uint32_t> forks;
    for (std::uint32_t i = least; i < most && !is_wrong(); ++i) {
      forks.push_back(size());
      add({Kind::kFork, size() + 1, 0});
      add_once();
    }
    for (const std::uint32_t fork : forks) {
      if (!is_wrong()) steps()[fork].or_to = size();
    }
  }

  static constexpr std::uint32_t kNoEnd = UINT32_MAX;

  std::string_view text_;
  std::size_t at_ = 0;
  std::string error_;
  Regexp made_;
};

Result<Regexp> Regexp::compile(std::string_view expression) { return RegexpReader(expression).read(); }

bool Regexp::takes(const Step& step, char32_t code) {
  const bool is_one =
      std::ranges::any_of(step.ranges, [&](const auto& range) { return range.first <= code && code <= range.second; });
  return is_one == (step.kind == Kind::kOneOf);
}

bool Regexp::add(std::uint32_t step, std::uint32_t turn, bool is_begin, bool is_end, bool is_edge,
                 Places& places) const {
  std::vector<std::uint32_t> open{step};
  while (!open.empty()) {
    const std::uint32_t at = open.back();
    open.pop_back();
    if (places.seen[at] == turn) continue;
    places.seen[at] = turn;
    const Step& of = steps_[at];
    switch (of.kind) {
      case Kind::kMatch:
        return true;
      case Kind::kFork:
        open.push_back(of.or_to);
        open.push_back(of.to);
        break;
      case Kind::kJump:
        open.push_back(of.to);
        break;
      case Kind::kBegin:
        if (is_begin) open.push_back(at + 1);
        break;
      case Kind::kEnd:
        if (is_end) open.push_back(at + 1);
        break;
      case Kind::kWordEdge:
        if (is_edge) open.push_back(at + 1);
        break;
      default:
        places.list.push_back(at);
    }
  }
  return false;
}

std::optional<bool> Regexp::is_in(std::string_view text, const Budget& budget) const {
  Places places{{}, std::vector<std::uint32_t>(steps_.size(), 0)};
  std::vector<std::uint32_t> now;
  char32_t before = 0;
  std::uint32_t turn = 0;
  for (std::size_t at = 0;;) {
    if (++turn % 256 == 0 && budget.is_over()) return std::nullopt;
    const bool is_end = at == text.size();
    std::size_t next = at;
    const char32_t code = is_end ? 0 : next_code_point(text, next);
    const bool is_edge = is_word(before) != is_word(code);
    places.list.clear();
    bool is_found = add(0, turn, at == 0, is_end, is_edge, places);
    for (const std::uint32_t step : now) is_found = is_found || add(step, turn, at == 0, is_end, is_edge, places);
    if (is_found) return true;
    if (is_end) return false;
    now.clear();
    for (const std::uint32_t step : places.list) {
      if (takes(steps_[step], code)) now.push_back(step + 1);
    }
    before = code;
    at = next;
  }
}

}  // namespace vizd
