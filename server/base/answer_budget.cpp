#include "base/answer_budget.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/json_writer.h"

namespace vizd {

std::string AnswerBudget::take(std::string_view text, AnswerPart part) {
  std::string into;
  if (part == AnswerPart::kHeading) {
    written_bytes_ += text.size();
    return std::string(text);
  }
  if (part == AnswerPart::kRecord) {
    take_record(text, into);
    return into;
  }
  pending_ += text;
  std::size_t from = 0;
  for (std::size_t end = pending_.find('\n'); end != std::string::npos; end = pending_.find('\n', from)) {
    take_record(std::string_view(pending_).substr(from, end + 1 - from), into);
    from = end + 1;
  }
  pending_.erase(0, from);
  return into;
}

void AnswerBudget::take_record(std::string_view record, std::string& into) {
  if (records_++ < after_) return;
  // The last line is as long as it can become, so that there is room for it.
  const std::size_t closing_bytes = is_unlimited() ? 0 : closing(UINT32_MAX).size();
  is_full_ = is_full_ || (!is_unlimited() && written_bytes_ + record.size() + closing_bytes > most_bytes_);
  if (is_full_) {
    left_bytes_ += record.size();
    return;
  }
  ++told_;
  written_bytes_ += record.size();
  into += record;
}

std::string AnswerBudget::end() {
  std::string into;
  if (!pending_.empty()) take_record(std::exchange(pending_, {}), into);
  if (is_full_) into += closing(records_);
  return into;
}

std::string AnswerBudget::closing(std::uint64_t seen) const {
  const std::uint64_t next = after_ + told_, left = seen - std::min(seen, next);
  const std::string rest = fmt::format("{} --budget {} --after {}", again_, most_bytes_, next);
  const std::string all = again_ + " --budget 0";
  if (is_json_) {
    std::string text;
    JsonWriter json(text);
    json.begin_object().key("left_out").number(left).key("left_out_bytes").number(left_bytes_);
    // Where not even one fits, going on would not come on.
    json.key("next").text(told_ == 0 ? all : rest).key("all").text(all).end_object();
    return text + "\n";
  }
  if (told_ == 0) return fmt::format("({} records left out: the first is too large; all: {})\n", left, all);
  return fmt::format("({} more left out, {} bytes; the next: {}; all: {})\n", left, left_bytes_, rest, all);
}

std::string shell_word(std::string_view word) {
  const auto is_plain = [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
           std::string_view("-_./:=,@%+").find(c) != std::string_view::npos;
  };
  if (!word.empty() && std::ranges::all_of(word, is_plain)) return std::string(word);
  std::string quoted = "'";
  for (const char c : word) c == '\'' ? quoted += "'\\''" : quoted += c;
  return quoted + "'";
}

}  // namespace vizd
