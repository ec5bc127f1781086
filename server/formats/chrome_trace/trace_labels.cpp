// Ranks that a merger of traces put into one file by a label before the number of each process, as SGLang's does:
// "[TP01] 4000". Their other numbers (correlations, flows) stand in the file once for each rank.
#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/ascii_case.h"
#include "formats/chrome_trace/json_token.h"
#include "formats/chrome_trace/trace_reader.h"

namespace vizd::chrome_trace {
namespace {

// "TP01" of "[TP01] 4000"; "" where there is no such label.
std::string_view label_of(std::string_view number) {
  constexpr std::size_t kMostLabel = 64;
  const std::size_t end = number.find("] ");
  if (!number.starts_with('[') || end == std::string_view::npos || end > kMostLabel) return {};
  const std::string_view label = number.substr(1, end - 1);
  return std::ranges::any_of(label, is_digit) && label.find_first_of("[ ") == label.npos ? label : std::string_view();
}

// The rank's number where the label tells one alone: 1 of "TP01", and of "TP01-DP00", whose other parts are 0; none of
// "TP01-DP01".
std::optional<std::int64_t> rank_of(std::string_view label) {
  std::vector<std::int64_t> numbers;
  for (std::size_t at = 0; at < label.size();) {
    const std::size_t begin = label.find_first_of("0123456789", at);
    if (begin == label.npos) break;
    at = std::min(label.find_first_not_of("0123456789", begin), label.size());
    numbers.push_back(integer_of(label.substr(begin, at - begin)).value_or(0));
  }
  if (std::ranges::count_if(numbers, [](std::int64_t number) { return number != 0; }) > 1) return std::nullopt;
  return numbers.empty() ? 0 : std::ranges::max(numbers);
}

}  // namespace

std::vector<TraceRoot> TraceReader::labelled_roots() {
  std::vector<std::string> labels;
  for (std::uint32_t i = 0; i < lanes_.size(); ++i) {
    const auto& number = lanes_[i].process_number;
    const auto* const text = number ? std::get_if<StringId>(&*number) : nullptr;
    const std::string_view label = text == nullptr ? std::string_view() : label_of(strings_.get(*text));
    if (label.empty()) return {};
    if (std::ranges::find(labels, label) == labels.end()) labels.emplace_back(label);
  }
  std::vector<TraceRoot> roots;
  std::ranges::sort(labels);
  for (const std::string& label : labels) {
    const auto number = rank_of(label);
    const auto is_known = [&](const TraceRoot& root) { return root.rank == std::optional<ArgumentValue>(number); };
    const bool is_alone = number && std::ranges::none_of(roots, is_known);
    roots.push_back(
        {label, is_alone ? ArgumentValue(*number) : ArgumentValue(strings_.add(label)), "[" + label + "] "});
  }
  return roots;
}

void TraceReader::take_labels() {
  combined_ = labelled_roots();
  const std::size_t own = combined_.empty() ? 0 : pending_facts_.size();
  for (std::size_t i = 0; i < own; ++i) {
    // What devices there are was told once, for all.
    const PendingFact fact = pending_facts_[i];
    const bool is_shared = fact.lane == kNoId && strings_.get(fact.fact.subject).starts_with("deviceProperties[");
    for (std::size_t root = 1; root < combined_.size() && is_shared; ++root)
      pending_facts_.push_back({kNoId, fact.fact, root});
  }
  for (std::size_t root = 0; root < combined_.size(); ++root) {
    if (root == 0 && facts_.rank) continue;
    Fact fact{.subject = strings_.add("distributedInfo"), .value = *combined_[root].rank};
    fact.name = strings_.add("rank");
    pending_facts_.push_back({kNoId, fact, root});
  }
}

}  // namespace vizd::chrome_trace
