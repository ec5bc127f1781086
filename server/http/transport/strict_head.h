// StrictHead: the head of a request, looked at byte by byte as it is read: whether every reader takes it for the same
// request. The HTTP library is lenient (it skips lines that end in a bare LF, and header lines that it does not
// understand), and what it skips may be the length of a body, which it then takes for the next request. One thread.
#pragma once

namespace vizd {

class StrictHead {
 public:
  // Takes the next byte. False once the head is none: a space before a colon, a folded line, a bare CR or LF, a line
  // without a name. After the end of the head everything is accepted.
  bool accept(char c);
  // Whether the head is whole: its blank line was accepted.
  bool ended() const { return at_ == At::kEnd; }

 private:
  enum class At { kRequestLine, kLineFeed, kLineStart, kName, kValue, kLastLineFeed, kEnd, kWrong };
  At next(char c) const;

  At at_ = At::kRequestLine;
};

}  // namespace vizd
