// AnswerBudget: keeps an answer within so many bytes, for readers who pay for each: whole records from the first on, as
// long as there is room, and then one line that says how many were left out and how to have them. A record is a line,
// unless it is told as a whole. One thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace vizd {

enum class AnswerPart : std::uint8_t {
  kLines,    // each is a record
  kRecord,   // one record of several lines
  kHeading,  // stands before records, and is none: it is told again with the next ones
};

class AnswerBudget {
 public:
  // most_bytes: of all with the last line; 0: without a limit. after: so many records are passed over. again: the
  // command line, without these two.
  AnswerBudget(std::size_t most_bytes, std::uint64_t after, std::string again, bool is_json)
      : most_bytes_(most_bytes), after_(after), again_(std::move(again)), is_json_(is_json) {}

  // What of the text is to be written now. A line that is not at its end waits for the rest.
  std::string take(std::string_view text, AnswerPart part);
  // What is to be written at the end.
  std::string end();

 private:
  bool is_unlimited() const { return most_bytes_ == 0; }
  void take_record(std::string_view record, std::string& into);
  std::string closing(std::uint64_t seen) const;

  const std::size_t most_bytes_;
  const std::uint64_t after_;
  const std::string again_;
  const bool is_json_;
  std::string pending_;  // the begin of a line
  std::uint64_t records_ = 0, told_ = 0;
  std::size_t written_bytes_ = 0, left_bytes_ = 0;
  bool is_full_ = false;
};

// A word as a shell takes it for one.
std::string shell_word(std::string_view word);

}  // namespace vizd
