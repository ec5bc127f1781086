#include "formats/tinygrad/python/word_wrap.h"

#include "base/lines.h"
#include "base/utf8.h"

namespace vizd::python {
namespace {

constexpr int kMaxBreaks = 1000;  // the reference recurses for each, and Python ends it there

// Counts the visible characters of a growing text: its length without what re.sub('\x1b\\[(K|.*?m)', '') takes away.
class VisibleLength {
 public:
  // The count after one more character.
  std::size_t add(char32_t c) {
    ++length_;
    if (c == '\n') {
      open_.waits = false;
    } else if (state_ == State::kBracket && c == 'K') {
      removed_ += 3;
      if (open_.begin + 3 == length_) open_.waits = false;
    } else if (c == 'm' && open_.waits) {
      removed_ = open_.removed_before + length_ - open_.begin;  // with all that it closes, a \x1b[K too
      open_.waits = false;
    }
    if (state_ == State::kEscape && c == '[') {
      state_ = State::kBracket;
      if (!open_.waits) open_ = {true, length_ - 2, removed_};
    } else {
      state_ = c == '\x1b' ? State::kEscape : State::kText;
    }
    return length_ - removed_;
  }
  // The least that the count can be, whatever follows.
  std::size_t settled() const {
    if (open_.waits) return open_.begin - open_.removed_before;
    return length_ - removed_ - (state_ == State::kEscape ? 1 : 0);
  }

 private:
  enum class State { kText, kEscape, kBracket };
  // The first escape that waits for its m; "." in the pattern does not match a line end.
  struct Open {
    bool waits = false;
    std::size_t begin = 0;
    std::size_t removed_before = 0;
  };

  std::size_t length_ = 0;
  std::size_t removed_ = 0;
  State state_ = State::kText;
  Open open_;
};

// The byte offset after which the visible length first reaches width, or the text's size.
std::size_t break_after(std::string_view text, std::size_t width) {
  VisibleLength visible;
  for (std::size_t at = 0; at < text.size();) {
    if (visible.add(next_code_point(text, at)) >= width) return at;
  }
  return text.size();
}

bool is_longer(std::string_view text, std::size_t width) {
  VisibleLength visible;
  std::size_t length = 0;
  for (std::size_t at = 0; at < text.size() && visible.settled() <= width;) {
    length = visible.add(next_code_point(text, at));
  }
  return length > width;
}

void append_wrapped(std::string& wrapped, std::string_view line, std::size_t width) {
  for (int breaks = 0; breaks < kMaxBreaks && is_longer(line, width); ++breaks) {
    const std::size_t end = break_after(line, width);
    wrapped.append(line.substr(0, end)).push_back('\n');
    line.remove_prefix(end);
  }
  wrapped += line;
}

}  // namespace

std::string word_wrap(std::string_view text, std::size_t width) {
  if (!is_longer(text, width)) return std::string(text);
  std::string wrapped;
  const auto lines = split_lines(text);
  if (lines.size() == 1) {
    append_wrapped(wrapped, text, width);
    return wrapped;
  }
  for (const auto line : lines) {
    if (line.data() != lines.front().data()) wrapped += '\n';
    append_wrapped(wrapped, line, width);
  }
  return wrapped;
}

}  // namespace vizd::python
