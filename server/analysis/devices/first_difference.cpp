#include "analysis/devices/first_difference.h"

#include <algorithm>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

namespace vizd {
namespace {

// Numbers that ops of several captures have: equal ones where the ops print the same.
struct SharedNumbers {
  std::unordered_map<std::string, std::uint32_t> texts;
  std::map<std::vector<std::uint32_t>, std::uint32_t> ops;  // by the numbers of kind, dtype, argument and sources

  std::uint32_t of_text(std::string text) {
    return texts.try_emplace(std::move(text), static_cast<std::uint32_t>(texts.size())).first->second;
  }
  std::uint32_t of_op(std::vector<std::uint32_t> parts) {
    return ops.try_emplace(std::move(parts), static_cast<std::uint32_t>(ops.size())).first->second;
  }
};

// The numbers of one capture's ops, found when asked.
class OpNumbers {
 public:
  OpNumbers(const Capture& capture, SharedNumbers& shared) : capture_(capture), shared_(shared) {}

  std::uint32_t of(OpId root) {
    // Graphs are too deep to recurse: an op waits until its sources have numbers.
    std::vector<OpId> waiting{root};
    while (!waiting.empty()) {
      const OpId id = waiting.back();
      const std::size_t before = waiting.size();
      if (!numbers_.contains(id)) {
        for (const OpId source : capture_.ops.src(id)) {
          if (!numbers_.contains(source)) waiting.push_back(source);
        }
        if (waiting.size() > before) continue;
        numbers_.emplace(id, make(id));
      }
      waiting.pop_back();
    }
    return numbers_.at(root);
  }

 private:
  std::uint32_t make(OpId id) {
    const Op op = capture_.ops.op(id);
    std::vector<std::uint32_t> parts = {shared_.of_text(std::string(capture_.dialect->kind_name(op.kind))),
                                        of_value(op.dtype), of_value(op.arg)};
    for (const OpId source : op.src) parts.push_back(numbers_.at(source));
    return shared_.of_op(std::move(parts));
  }
  std::uint32_t of_value(ValueId value) {
    const auto [found, is_new] = values_.try_emplace(value, 0);
    if (is_new) found->second = shared_.of_text(capture_.dialect->value_text(value));
    return found->second;
  }

  const Capture& capture_;
  SharedNumbers& shared_;
  std::unordered_map<OpId, std::uint32_t> numbers_;
  std::unordered_map<ValueId, std::uint32_t> values_;
};

struct ContextSide {
  ContextSide(const Capture& of, std::uint32_t context, SharedNumbers& shared)
      : capture(of), passes(of.rewrites.passes_of(of.rewrites.contexts[context])), numbers(of, shared) {}

  bool has_same_rule(LocationId rule, const ContextSide& other, LocationId of_other) const {
    const Location& mine = capture.rewrites.locations[index(rule)];
    const Location& theirs = other.capture.rewrites.locations[index(of_other)];
    return mine.line == theirs.line && file_of(mine) == other.file_of(theirs);
  }
  std::string_view file_of(const Location& location) const {
    const std::string_view path = capture.strings.get(location.file);
    return path.substr(path.find_last_of('/') + 1);
  }

  const Capture& capture;
  std::span<const Pass> passes;
  OpNumbers numbers;
};

// Compares two passes at the same place. only_rules: the graphs are known to differ.
std::optional<FirstDifference> compare_passes(ContextSide& a, ContextSide& b, std::uint32_t place, bool only_rules) {
  const Pass& of_a = a.passes[place];
  const Pass& of_b = b.passes[place];
  if (a.capture.strings.get(of_a.name) != b.capture.strings.get(of_b.name))
    return FirstDifference{DifferenceKind::kPass, place, 0};
  if (!only_rules && a.numbers.of(of_a.sink) != b.numbers.of(of_b.sink))
    return FirstDifference{DifferenceKind::kInput, place, 0};
  const auto a_matches = a.capture.rewrites.matches_of(of_a), b_matches = b.capture.rewrites.matches_of(of_b);
  const auto both = static_cast<std::uint32_t>(std::min(a_matches.size(), b_matches.size()));
  for (std::uint32_t m = 0; m < both; ++m) {
    if (!a.has_same_rule(a_matches[m].rule, b, b_matches[m].rule))
      return FirstDifference{DifferenceKind::kRule, place, m + 1};
    if (only_rules) continue;
    if (a.numbers.of(a_matches[m].before) != b.numbers.of(b_matches[m].before) ||
        a.numbers.of(a_matches[m].after) != b.numbers.of(b_matches[m].after))
      return FirstDifference{DifferenceKind::kResult, place, m + 1};
  }
  if (a_matches.size() != b_matches.size()) return FirstDifference{DifferenceKind::kLength, place, both + 1};
  return std::nullopt;
}

}  // namespace

std::string_view difference_name(DifferenceKind kind) {
  constexpr std::string_view kNames[] = {"pass", "input", "rule", "result", "length"};
  return kNames[static_cast<std::size_t>(kind)];
}

RewriteDifference find_first_difference(const Capture& a, std::uint32_t a_context, const Capture& b,
                                        std::uint32_t b_context) {
  SharedNumbers shared;
  ContextSide of_a(a, a_context, shared), of_b(b, b_context, shared);
  RewriteDifference result;
  const auto both = static_cast<std::uint32_t>(std::min(of_a.passes.size(), of_b.passes.size()));
  if (both > 0) result.inputs_differ = of_a.numbers.of(of_a.passes[0].sink) != of_b.numbers.of(of_b.passes[0].sink);
  for (std::uint32_t place = 0; place < both && !result.first; ++place)
    result.first = compare_passes(of_a, of_b, place, result.inputs_differ);
  if (!result.first && of_a.passes.size() != of_b.passes.size())
    result.first = FirstDifference{DifferenceKind::kPass, both, 0};
  return result;
}

}  // namespace vizd
