#include "query/pattern.h"

#include <algorithm>

namespace vizd::sql {
namespace {

char32_t lower(char32_t code) { return code >= 'A' && code <= 'Z' ? code + ('a' - 'A') : code; }

}  // namespace

char32_t take_char(std::string_view text, std::size_t& at) {
  const auto first = static_cast<unsigned char>(text[at++]);
  if (first < 0xc0) return first;
  char32_t code = first >= 0xf0 ? first & 0x07u : first >= 0xe0 ? first & 0x0fu : first & 0x1fu;
  for (; at < text.size() && is_continuation(text[at]); ++at)
    code = (code << 6u) | (static_cast<unsigned char>(text[at]) & 0x3fu);
  return code;
}

Pattern Pattern::like(std::string_view text, char32_t escape) {
  Pattern pattern;
  pattern.ignores_case_ = true;
  for (std::size_t at = 0; at < text.size();) {
    const char32_t code = take_char(text, at);
    if (escape != 0 && code == escape) {
      // With nothing behind it, it stands for nothing that could be there.
      pattern.parts_.push_back(at < text.size() ? Part{Kind::kChar, lower(take_char(text, at))} : Part{Kind::kNothing});
    } else if (code == '%' || code == '_') {
      pattern.parts_.push_back({code == '%' ? Kind::kAnyText : Kind::kAnyChar});
    } else {
      pattern.parts_.push_back({Kind::kChar, lower(code)});
    }
  }
  return pattern;
}

Pattern Pattern::glob(std::string_view text) {
  Pattern pattern;
  for (std::size_t at = 0; at < text.size();) {
    const char32_t code = take_char(text, at);
    if (code != '[') {
      pattern.parts_.push_back({code == '*' ? Kind::kAnyText : code == '?' ? Kind::kAnyChar : Kind::kChar, code});
      continue;
    }
    Part set{Kind::kOneOf};
    if (at < text.size() && text[at] == '^') {
      set.kind = Kind::kNoneOf;
      ++at;
    }
    bool is_closed = false;
    for (bool is_first = true; at < text.size() && !is_closed; is_first = false) {
      const char32_t low = take_char(text, at);
      is_closed = low == ']' && !is_first;
      if (is_closed) break;
      const bool is_range = at + 1 < text.size() && text[at] == '-' && text[at + 1] != ']';
      if (is_range) ++at;
      set.ranges.emplace_back(low, is_range ? take_char(text, at) : low);
    }
    if (!is_closed) set.kind = Kind::kNothing;
    pattern.parts_.push_back(std::move(set));
  }
  return pattern;
}

bool Pattern::fits(const Part& part, char32_t code) {
  const auto has_code = [code](const auto& range) { return range.first <= code && code <= range.second; };
  switch (part.kind) {
    case Kind::kAnyText:
    case Kind::kNothing:
      return false;
    case Kind::kAnyChar:
      return true;
    case Kind::kChar:
      return part.code == code;
    case Kind::kOneOf:
      return std::ranges::any_of(part.ranges, has_code);
    case Kind::kNoneOf:
      break;
  }
  return std::ranges::none_of(part.ranges, has_code);
}

// Where it does not go on, only the last "any text" can have been too short: those before it took the least they could.
std::optional<bool> Pattern::matches(std::string_view text, const Budget& budget) const {
  std::size_t part = 0, at = 0;
  std::optional<std::size_t> after_any;
  std::size_t tried_from = 0;
  while (budget.goes_on()) {
    if (part < parts_.size() && parts_[part].kind == Kind::kAnyText) {
      after_any = ++part;
      tried_from = at;
      if (part == parts_.size()) return true;
      continue;
    }
    if (at == text.size()) return part == parts_.size();
    std::size_t next = at;
    const char32_t code = take_char(text, next);
    if (part < parts_.size() && fits(parts_[part], ignores_case_ ? lower(code) : code)) {
      ++part;
      at = next;
      continue;
    }
    if (!after_any) return false;
    part = *after_any;
    take_char(text, tried_from);
    at = tried_from;
  }
  return std::nullopt;
}

}  // namespace vizd::sql
