#include "http/report/report_packer.h"

#include <fmt/core.h>

namespace vizd {

void ReportPacker::begin(std::string what, std::size_t of) {
  what_ = std::move(what);
  of_ = of;
  done_ = packed_things_ = 0;
  tell_(what_, 0, of_);
}

bool ReportPacker::pack_answers(const std::vector<PackedAnswers::Named>& answers, std::size_t things) {
  const bool is_packed = packed_.add(answers);
  packed_things_ += is_packed ? things : 0;
  tell_(what_, done_ += things, of_);
  return is_packed;
}

bool ReportPacker::pack(const std::vector<Question>& questions, std::size_t things) {
  std::vector<PackedAnswers::Named> answers;
  for (const Question& question : questions) answers.push_back({question.text(), client_.ask(question)});
  return pack_answers(answers, things);
}

bool ReportPacker::pack_as(const std::string& name, const Question& question) {
  return pack_answers({{name, client_.ask(question)}});
}

void ReportPacker::end() {
  if (packed_things_ == of_) return;
  if (of_ == 1) {
    left_out_.push_back(what_);
  } else {
    left_out_.push_back(fmt::format("{}: {} of {}", what_, of_ - packed_things_, of_));
  }
}

}  // namespace vizd
