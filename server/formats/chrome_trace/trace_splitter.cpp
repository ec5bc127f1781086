#include "formats/chrome_trace/trace_splitter.h"

#include <algorithm>
#include <cstring>

namespace vizd::chrome_trace {
namespace {

constexpr std::size_t kMostEvent_bytes = std::size_t{8} << 20;
constexpr std::size_t kMostMember_bytes = std::size_t{256} << 20;
// An event whose quotes do not pair up is looked at to the end of what is there; so much of that may be in vain.
constexpr std::uint64_t kMostWasted_bytes = std::uint64_t{256} << 20;

}  // namespace

bool TraceSplitter::feed(std::span<const std::byte> part) {
  if (state_ == State::kEnd || state_ == State::kNoTrace || is_cut_) return false;
  // The rest of the last part moves to the front.
  if (size_ > at_) std::memmove(text_.data(), text_.data() + at_, size_ - at_);
  size_ -= at_;
  dropped_bytes_ += at_;
  at_ = 0;
  if (text_.size() < size_ + part.size() + kPadding_bytes)
    text_.resize(std::max(2 * size_, size_ + part.size()) + kPadding_bytes);
  if (!part.empty()) {
    std::memcpy(text_.data() + size_, part.data(), part.size());
    const void* const zero = zero_offset_ ? nullptr : std::memchr(part.data(), 0, part.size());
    if (zero != nullptr) {
      const auto at = static_cast<std::uint64_t>(static_cast<const std::byte*>(zero) - part.data());
      zero_offset_ = dropped_bytes_ + size_ + at;
    }
  }
  size_ += part.size();
  while (step()) {
  }
  return state_ != State::kEnd && state_ != State::kNoTrace && !is_cut_;
}

void TraceSplitter::finish() {
  if (!is_cut_) cut_offset_ = dropped_bytes_ + at_;
  while (!is_cut_ && state_ == State::kEvents && skip(true)) {
    // The last event is not whole, or its quotes made it seem so.
    if (!pass_damage(size_ - at_)) break;
    if (at_ < size_) ++damaged_count_;
    while (step()) {
    }
    if (at_ < size_) cut_offset_ = dropped_bytes_ + at_;
  }
  const bool may_stop = state_ == State::kEnd || state_ == State::kNoTrace || state_ == State::kStart;
  const bool is_open_list = state_ == State::kEvents && !is_in_object_ && at_ == size_;
  if (!may_stop && !is_open_list) is_cut_ = true;
}

std::optional<std::uint64_t> TraceSplitter::next_offset() {
  return state_ == State::kEnd && skip(false) ? std::optional(dropped_bytes_ + at_) : std::nullopt;
}

bool TraceSplitter::step() {
  if (is_cut_) return false;
  switch (state_) {
    case State::kStart:
      return begin();
    case State::kKey:
      return take_key();
    case State::kColon:
      return take_colon();
    case State::kValue:
      return take_value();
    case State::kEvents:
      return take_item();
    case State::kEnd:
    case State::kNoTrace:
      break;
  }
  return false;
}

bool TraceSplitter::begin() {
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  if (dropped_bytes_ + at_ == 0 && rest().starts_with(kByteOrderMark)) at_ += kByteOrderMark.size();
  if (!skip(false)) return false;
  const char first = rest().front();
  state_ = first == '[' ? State::kEvents : first == '{' ? State::kKey : State::kNoTrace;
  is_in_object_ = first == '{';
  has_list_ = first == '[';
  if (state_ != State::kNoTrace) ++at_;
  return state_ != State::kNoTrace;
}

bool TraceSplitter::take_key() {
  if (!skip(true)) return false;
  if (rest().front() == '}') {
    ++at_;
    state_ = State::kEnd;
    return false;
  }
  if (rest().front() != '"') {
    give_up();
    return false;
  }
  const std::string_view key = scan();
  if (key.empty()) return false;
  key_ = key;
  pass(key.size());
  state_ = State::kColon;
  return true;
}

bool TraceSplitter::take_colon() {
  if (!skip(false)) return false;
  if (rest().front() != ':') {
    give_up();
    return false;
  }
  // The value's first byte is to be seen too.
  const std::size_t colon = at_++;
  if (!skip(false)) {
    at_ = colon;
    return false;
  }
  if (key_ == "\"traceEvents\"" && rest().front() == '[') {
    ++at_;
    state_ = State::kEvents;
    has_list_ = true;
  } else {
    state_ = State::kValue;
  }
  return true;
}

bool TraceSplitter::take_value() {
  const std::string_view value = scan();
  if (value.empty()) {
    if (size_ - at_ > kMostMember_bytes) give_up();
    return false;
  }
  parts_.take_member(key_, value);
  pass(value.size());
  state_ = State::kKey;
  return true;
}

bool TraceSplitter::take_item() {
  if (!skip(true)) return false;
  const char first = rest().front();
  if (first == ']') {
    ++at_;
    state_ = is_in_object_ ? State::kKey : State::kEnd;
    return is_in_object_;
  }
  if (first == '}' || first == ':') {
    // The text before it was taken apart wrongly: it lost a bracket, or a quote.
    ++damaged_count_;
    return pass_damage(size_ - at_);
  }
  const std::string_view item = scan();
  if (item.empty()) {
    if (size_ - at_ <= kMostEvent_bytes) return false;
    ++damaged_count_;
    return pass_damage(size_ - at_);
  }
  if (first != '{') {
    parts_.take_stranger();
  } else if (!parts_.take_event(item)) {
    ++damaged_count_;
    return pass_damage(item.size());
  }
  pass(item.size());
  return true;
}

bool TraceSplitter::skip(bool commas) {
  while (at_ < size_) {
    const char c = text_[at_];
    if (c != ' ' && c != '\n' && c != '\r' && c != '\t' && !(commas && c == ',')) return true;
    ++at_;
  }
  return false;
}

std::string_view TraceSplitter::scan() {
  const auto end = scan_.find_end(rest());
  return end ? rest().substr(0, *end) : std::string_view();
}

void TraceSplitter::pass(std::size_t size) {
  at_ += size;
  scan_ = {};
}

bool TraceSplitter::pass_damage(std::size_t size) {
  wasted_bytes_ += size;
  if (wasted_bytes_ > kMostWasted_bytes) {
    give_up();
    return false;
  }
  // An event's end, a comma, and a beginning with a key.
  const std::string_view damaged = rest().substr(0, size);
  for (std::size_t end = damaged.find('}', 1); end != std::string_view::npos; end = damaged.find('}', end + 1)) {
    std::size_t next = end + 1;
    const auto skip_spaces = [&] {
      while (next < damaged.size() && std::string_view(" \t\r\n").find(damaged[next]) != std::string_view::npos) ++next;
    };
    const auto is_at = [&](char c) { return next < damaged.size() && damaged[next] == c; };
    skip_spaces();
    if (!is_at(',')) continue;
    ++next;
    skip_spaces();
    const std::size_t begin = next;
    if (!is_at('{')) continue;
    ++next;
    skip_spaces();
    if (!is_at('"')) continue;
    pass(begin);
    return true;
  }
  pass(size);
  return true;
}

void TraceSplitter::give_up() {
  is_cut_ = true;
  cut_offset_ = dropped_bytes_ + at_;
}

}  // namespace vizd::chrome_trace
