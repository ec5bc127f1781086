#include "base/json_scan.h"

#include <charconv>
#include <system_error>
#include <vector>

#include "base/parse_json.h"
#include "base/utf8.h"

namespace vizd {
namespace {

constexpr std::size_t kNone = std::string_view::npos;

bool is_space(char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

std::string_view without_space(std::string_view text) {
  std::size_t at = 0;
  while (at < text.size() && is_space(text[at])) ++at;
  return text.substr(at);
}

// Returns the length of the string that the text begins with, quotes included; kNone where there is no valid string.
std::size_t string_length(std::string_view text) {
  bool is_ascii = true;
  for (std::size_t i = 1; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '"') return is_ascii || is_utf8(text.substr(1, i - 1)) ? i + 1 : kNone;
    if (static_cast<unsigned char>(c) < 0x20) return kNone;
    is_ascii = is_ascii && static_cast<unsigned char>(c) < 0x80;
    if (c != '\\') continue;
    if (++i == text.size()) return kNone;
    if (text[i] != 'u') {
      if (std::string_view("\"\\/bfnrt").find(text[i]) == kNone) return kNone;
    } else {
      unsigned code = 0;
      if (text.size() - i < 5) return kNone;
      const char* const digits = text.data() + i + 1;
      if (std::from_chars(digits, digits + 4, code, 16).ptr != digits + 4) return kNone;
      i += 4;
    }
  }
  return kNone;
}

// Returns the length of the number that the text begins with; kNone where there is no valid number.
std::size_t number_length(std::string_view text) {
  std::size_t at = text.front() == '-' ? 1 : 0;
  const auto take_digits = [&] {
    const std::size_t begin = at;
    while (at < text.size() && is_digit(text[at])) ++at;
    return at - begin;
  };
  const std::size_t first = at, digits = take_digits();
  if (digits == 0 || (digits > 1 && text[first] == '0')) return kNone;
  if (at < text.size() && text[at] == '.') {
    ++at;
    if (take_digits() == 0) return kNone;
  }
  bool may_be_too_large = digits > 300;
  if (at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
    may_be_too_large = true;
    ++at;
    if (at < text.size() && (text[at] == '+' || text[at] == '-')) ++at;
    if (take_digits() == 0) return kNone;
  }
  return !may_be_too_large || json_double(text.substr(0, at)) ? at : kNone;
}

std::size_t scalar_length(std::string_view text) {
  if (text.front() == '"') return string_length(text);
  if (text.front() == '-' || is_digit(text.front())) return number_length(text);
  for (const std::string_view word : {"true", "false", "null"}) {
    if (text.starts_with(word)) return word.size();
  }
  return kNone;
}

// Returns the length of the value that the text begins with.
std::size_t value_length(std::string_view text) {
  std::size_t depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '"') {
      for (++i; i < text.size() && text[i] != '"'; ++i) i += text[i] == '\\' ? 1 : 0;
      if (depth == 0) return i + 1;
    } else if (c == '[' || c == '{') {
      ++depth;
    } else if (c == ']' || c == '}') {
      if (depth == 0) return i;
      if (--depth == 0) return i + 1;
    } else if (depth == 0 && (c == ',' || is_space(c))) {
      return i;
    }
  }
  return text.size();
}

// Takes a value from the beginning of what is left, and the comma behind it.
std::string_view take_value(std::string_view& rest) {
  const std::string_view value = rest.substr(0, value_length(rest));
  rest = without_space(rest.substr(value.size()));
  if (rest.starts_with(',')) {
    rest = without_space(rest.substr(1));
  } else if (value.empty()) {
    rest = {};  // no JSON
  }
  return value;
}

// Returns a list or an object from its first item on; "" where the value is neither.
std::string_view content_of(std::string_view value, char open) {
  return value.starts_with(open) ? without_space(value.substr(1)) : std::string_view();
}

template <typename Number>
std::optional<Number> number_of(std::string_view value) {
  Number number = 0;
  const auto [end, failed] = std::from_chars(value.data(), value.data() + value.size(), number);
  if (failed != std::errc() || end != value.data() + value.size()) return std::nullopt;
  return number;
}

// Checks a text token by token; the nesting is kept beside it, so that none of it is on the program's stack.
class JsonCheck {
 public:
  JsonCheck(std::string_view text, std::size_t most_nesting) : rest_(without_space(text)), most_(most_nesting) {}

  bool run() {
    while (true) {
      if (!take_beginnings()) return false;
      // A value is complete: the list or object around it ends here, or goes on.
      while (!open_.empty() && take(open_.back() == '{' ? '}' : ']')) open_.pop_back();
      if (open_.empty()) return rest_.empty();
      if (!take(',') || (open_.back() == '{' && !take_key())) return false;
    }
  }

 private:
  bool take(char c) {
    if (!rest_.starts_with(c)) return false;
    rest_ = without_space(rest_.substr(1));
    return true;
  }
  bool take_key() { return rest_.starts_with('"') && take_scalar() && take(':'); }
  bool take_scalar() {
    const std::size_t length = rest_.empty() ? kNone : scalar_length(rest_);
    if (length == kNone) return false;
    rest_ = without_space(rest_.substr(length));
    return true;
  }
  // The beginnings of lists and objects that begin with one another, and the first scalar, or the end of an empty one.
  bool take_beginnings() {
    while (true) {
      const char c = rest_.empty() ? '\0' : rest_.front();
      if (c != '[' && c != '{') return take_scalar();
      if (open_.size() == most_) return false;
      take(c);
      if (take(c == '{' ? '}' : ']')) return true;
      open_.push_back(c);
      if (c == '{' && !take_key()) return false;
    }
  }

  std::string_view rest_;
  const std::size_t most_;
  std::vector<char> open_;
};

}  // namespace

bool is_json(std::string_view text, std::size_t most_nesting) { return JsonCheck(text, most_nesting).run(); }

JsonItems::JsonItems(std::string_view list) : rest_(content_of(list, '[')) {}

std::optional<std::string_view> JsonItems::next() {
  if (rest_.empty() || rest_.front() == ']') return std::nullopt;
  return take_value(rest_);
}

JsonMembers::JsonMembers(std::string_view object) : rest_(content_of(object, '{')) {}

std::optional<JsonMembers::Member> JsonMembers::next() {
  if (rest_.empty() || rest_.front() == '}') return std::nullopt;
  const std::string_view key = rest_.substr(0, value_length(rest_));
  rest_ = without_space(rest_.substr(key.size()));
  if (rest_.starts_with(':')) rest_ = without_space(rest_.substr(1));
  return Member{key.size() < 2 ? key : key.substr(1, key.size() - 2), take_value(rest_)};
}

bool is_json_list(std::string_view value) { return value.starts_with('['); }

std::size_t count_json_items(std::string_view list) {
  std::size_t count = 0;
  for (JsonItems items(list); items.next();) ++count;
  return count;
}

std::string json_text(std::string_view value) {
  if (value.size() < 2 || value.front() != '"') return "";
  if (value.find('\\') == kNone) return std::string(value.substr(1, value.size() - 2));
  const auto unescaped = parse_json(value);
  return unescaped.is_string() ? unescaped.get<std::string>() : "";
}

std::optional<double> json_double(std::string_view value) { return number_of<double>(value); }
std::optional<std::int64_t> json_int64(std::string_view value) { return number_of<std::int64_t>(value); }
std::optional<std::uint64_t> json_uint64(std::string_view value) { return number_of<std::uint64_t>(value); }

}  // namespace vizd
