#include "cli/devices/verdict_text.h"

#include <fmt/format.h>

#include <cmath>

#include "cli/devices/answer_records.h"

namespace vizd {
namespace {

std::string head_of(const ComparisonVerdict& verdict) {
  const std::string_view word = verdict.word();
  if (word == "same") return fmt::format("No clear change ({:+.1f} %)", verdict.change_percent());
  return fmt::format("{} by {:.1f} %", word == "slower" ? "Slower" : "Faster", std::abs(verdict.change_percent()));
}

std::string range_of(const ComparisonVerdict& verdict) {
  if (!verdict.range_ns) return "";
  const auto percent_of = [&](double ns) { return 100 * ns / verdict.a.dur_ns; };
  return fmt::format(", 95 % confidence interval {:+.1f} % to {:+.1f} %", percent_of(verdict.range_ns->first),
                     percent_of(verdict.range_ns->second));
}

std::string counted(std::int64_t count, const char* word) {
  return fmt::format("{} {}{}", count, word, count == 1 ? "" : "s");
}

std::string measure_of(const ComparisonVerdict& verdict) {
  const std::int64_t a = verdict.a.count, b = verdict.b.count;
  const char* const word = verdict.is_of_steps ? "step" : "device";
  if (verdict.is_of_steps) return fmt::format("median of {} and of {}", counted(a, word), counted(b, word));
  if (a == 1 && b == 1) return "from the device's first work to the end of its last";
  return fmt::format("from first work to the end of the last, average of {} and of {}", counted(a, word),
                     counted(b, word));
}

}  // namespace

std::vector<std::string> verdict_lines(const ComparisonVerdict& verdict) {
  std::vector<std::string> lines = {fmt::format("{}{}: {} before, {} after ({})", head_of(verdict), range_of(verdict),
                                                duration_text(verdict.a.dur_ns), duration_text(verdict.b.dur_ns),
                                                measure_of(verdict))};
  std::string classes;
  for (std::size_t c = 0; c < kTimeClasses.size(); ++c) {
    if (verdict.a.classes_ns[c] == 0 && verdict.b.classes_ns[c] == 0) continue;
    classes += fmt::format("{}{} {}", classes.empty() ? "" : ", ", kTimeClasses[c],
                           change_text(verdict.b.classes_ns[c] - verdict.a.classes_ns[c]));
  }
  lines.push_back(fmt::format("Of {}: {}", verdict.is_of_steps ? "the median step" : "an average device", classes));
  return lines;
}

}  // namespace vizd
