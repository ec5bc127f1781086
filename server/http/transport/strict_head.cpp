#include "http/transport/strict_head.h"

#include <string_view>

namespace vizd {
namespace {

// A byte of a header's name (RFC 9110, "token").
bool is_token(char c) {
  const bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  return is_letter || (c >= '0' && c <= '9') ||
         (c != '\0' && std::string_view("!#$%&'*+-.^_`|~").find(c) != std::string_view::npos);
}

}  // namespace

bool StrictHead::accept(char c) {
  at_ = next(c);
  return at_ != At::kWrong;
}

StrictHead::At StrictHead::next(char c) const {
  switch (at_) {
    case At::kRequestLine:
    case At::kValue:
      if (c == '\r') return At::kLineFeed;
      return c == '\n' || c == '\0' ? At::kWrong : at_;
    case At::kLineFeed:
      return c == '\n' ? At::kLineStart : At::kWrong;
    case At::kLineStart:
      if (c == '\r') return At::kLastLineFeed;
      return is_token(c) ? At::kName : At::kWrong;
    case At::kName:
      if (c == ':') return At::kValue;
      return is_token(c) ? At::kName : At::kWrong;
    case At::kLastLineFeed:
      return c == '\n' ? At::kEnd : At::kWrong;
    case At::kEnd:
    case At::kWrong:
      break;
  }
  return at_;
}

}  // namespace vizd
