#include "query/formatted_text.h"

#include <sqlite3.h>

#include <algorithm>
#include <memory>

namespace vizd::sql {
namespace {

// One part of a format: % flags width . precision type.
struct Part {
  std::string flags;
  std::optional<std::int64_t> width, precision;
  char type = 0;
};

class Formatter {
 public:
  Formatter(std::string_view format, std::span<sqlite3_value*> values, std::size_t most_bytes)
      : format_(format), values_(values), most_bytes_(most_bytes), work_left_(4 * most_bytes) {}

  std::optional<std::string> text() {
    while (at_ < format_.size()) {
      const std::size_t mark = std::min(format_.find('%', at_), format_.size());
      made_ += format_.substr(at_, mark - at_);
      at_ = mark + 1;
      if (mark == format_.size()) break;
      // As SQLite: a % at the end stands for itself, and a type that it does not know ends the text.
      if (at_ == format_.size())
        made_ += '%';
      else if (!add(take_part()))
        break;
      if (is_too_much_ || made_.size() > most_bytes_) return std::nullopt;
    }
    return is_too_much_ || made_.size() > most_bytes_ ? std::nullopt : std::optional(std::move(made_));
  }

 private:
  sqlite3_value* next_value() { return next_ < values_.size() ? values_[next_++] : nullptr; }

  std::int64_t next_integer() {
    sqlite3_value* const value = next_value();
    return value == nullptr ? 0 : sqlite3_value_int64(value);
  }

  std::optional<std::int64_t> take_number() {
    if (at_ < format_.size() && format_[at_] == '*') {
      ++at_;
      return std::clamp<std::int64_t>(next_integer(), -kMost, kMost);
    }
    std::optional<std::int64_t> number;
    for (; at_ < format_.size() && format_[at_] >= '0' && format_[at_] <= '9'; ++at_)
      number = std::min(number.value_or(0) * 10 + (format_[at_] - '0'), kMost);
    return number;
  }

  Part take_part() {
    Part part;
    for (; at_ < format_.size() && std::string_view("-+ #!0,").find(format_[at_]) != std::string_view::npos; ++at_) {
      if (part.flags.find(format_[at_]) == std::string::npos) part.flags += format_[at_];
    }
    part.width = take_number();
    if (at_ < format_.size() && format_[at_] == '.') {
      ++at_;
      part.precision = take_number().value_or(0);
    }
    if (part.width.value_or(0) < 0) {
      part.flags += '-';
      part.width = -*part.width;
    }
    if (part.precision.value_or(0) < 0) part.precision = -*part.precision;
    while (at_ < format_.size() && format_[at_] == 'l') ++at_;
    part.type = at_ < format_.size() ? format_[at_++] : '\0';
    return part;
  }

  // Takes so much off what there is left, and says whether there was as much.
  bool spend(std::int64_t bytes) {
    const auto wanted = static_cast<std::size_t>(bytes);
    is_too_much_ = is_too_much_ || wanted > work_left_;
    if (!is_too_much_) work_left_ -= wanted;
    return !is_too_much_;
  }

  template <typename Value>
  void print(const Part& part, std::string_view type, Value value) {
    std::string spec = "%" + part.flags;
    if (part.width) spec += std::to_string(*part.width);
    if (part.precision) spec += '.' + std::to_string(*part.precision);
    const std::unique_ptr<char, decltype(&sqlite3_free)> text(sqlite3_mprintf(spec.append(type).c_str(), value),
                                                              sqlite3_free);
    if (text == nullptr)
      is_too_much_ = true;
    else
      made_ += text.get();
  }

  // False at what ends the text.
  bool add(const Part& part) {
    constexpr std::int64_t kOfAny = 64;
    if (!spend(kOfAny + part.width.value_or(0) + part.precision.value_or(0))) return true;
    switch (part.type) {
      case '%':
        made_ += '%';
        return true;
      case 'n':
        return true;
      case 'd':
      case 'i':
      case 'u':
      case 'x':
      case 'X':
      case 'o':
      case 'r':
        print(part, std::string("ll") + part.type, next_integer());
        return true;
      case 'p':
        print(part, "llX", next_integer());
        return true;
      case 'f':
      case 'e':
      case 'E':
      case 'g':
      case 'G':
        print_real(part);
        return true;
      case 'c':
        print_character(part);
        return true;
      case 's':
      case 'z':
      case 'q':
      case 'Q':
      case 'w':
        print_text(part);
        return true;
      default:
        return false;
    }
  }

  void print_real(const Part& part) {
    sqlite3_value* const value = next_value();
    print(part, std::string_view(&part.type, 1), value == nullptr ? 0.0 : sqlite3_value_double(value));
  }

  void print_text(const Part& part) {
    sqlite3_value* const value = next_value();
    const auto* text = value == nullptr ? nullptr : reinterpret_cast<const char*>(sqlite3_value_text(value));
    // A text that is cut or quoted is read whole.
    if (text != nullptr && !spend(2 * static_cast<std::int64_t>(sqlite3_value_bytes(value)))) return;
    const char type = part.type == 'z' ? 's' : part.type;
    print(part, std::string_view(&type, 1), text);
  }

  // The first character of a text, as often as the precision says.
  void print_character(Part part) {
    sqlite3_value* const value = next_value();
    const auto* text = value == nullptr ? nullptr : reinterpret_cast<const char*>(sqlite3_value_text(value));
    std::string one;
    if (text != nullptr && *text != 0) {
      one += *text++;
      while ((static_cast<unsigned char>(one[0]) & 0xc0u) == 0xc0u &&
             (static_cast<unsigned char>(*text) & 0xc0u) == 0x80u)
        one += *text++;
    }
    const std::int64_t times = std::max<std::int64_t>(part.precision.value_or(1), 1);
    if (!spend(times * 4)) return;
    std::string all;
    for (std::int64_t i = 0; i < times; ++i) all += one;
    part.precision.reset();
    part.flags += '!';  // widths are of characters
    print(part, "s", all.c_str());
  }

  static constexpr std::int64_t kMost = 1'000'000'000;
  std::string_view format_;
  std::span<sqlite3_value*> values_;
  std::size_t most_bytes_, work_left_;
  std::size_t at_ = 0, next_ = 0;
  std::string made_;
  bool is_too_much_ = false;
};

}  // namespace

std::optional<std::string> formatted_text(std::string_view format, std::span<sqlite3_value*> values,
                                          std::size_t most_bytes) {
  return Formatter(format, values, most_bytes).text();
}

}  // namespace vizd::sql
