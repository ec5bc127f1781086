#include "analysis/devices/kernel_rewrites.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <tuple>

#include "base/clean_text.h"

namespace vizd {
namespace {

using RuleKey = std::tuple<std::string, std::string, std::uint32_t>;  // pass, file, line

std::map<RuleKey, std::int64_t> count_matches(const Capture& capture, std::uint32_t context) {
  std::map<RuleKey, std::int64_t> counts;
  const Rewrites& rewrites = capture.rewrites;
  for (const Pass& pass : rewrites.passes_of(rewrites.contexts[context])) {
    std::map<LocationId, std::int64_t> by_rule;
    for (const Match& match : rewrites.matches_of(pass)) ++by_rule[match.rule];
    for (const auto& [rule, count] : by_rule) {
      const Location& location = rewrites.locations[index(rule)];
      counts[{std::string(capture.strings.get(pass.name)), std::string(capture.strings.get(location.file)),
              location.line}] += count;
    }
  }
  return counts;
}

}  // namespace

std::optional<std::uint32_t> find_kernel_context(const Capture& capture, std::string_view kernel) {
  const Rewrites& rewrites = capture.rewrites;
  const std::string plain = many_lines(kernel, false);
  for (std::uint32_t c = 0; c < rewrites.contexts.size(); ++c) {
    const Context& context = rewrites.contexts[c];
    if (many_lines(capture.strings.get(context.name), false) == plain) return c;
    if (context.program == ProgramId{kNoId}) continue;
    if (capture.strings.get(rewrites.programs[index(context.program)].name) == plain) return c;
  }
  return std::nullopt;
}

std::vector<ChangedRule> compare_kernel_rewrites(const Capture& a, std::uint32_t a_context, const Capture& b,
                                                 std::uint32_t b_context) {
  std::map<RuleKey, ChangedRule> rules;
  const auto add = [&](const Capture& capture, std::uint32_t context, std::int64_t ChangedRule::*side) {
    for (const auto& [key, count] : count_matches(capture, context)) {
      ChangedRule& rule = rules[key];
      std::tie(rule.pass, rule.file, rule.line) = key;
      rule.*side = count;
    }
  };
  add(a, a_context, &ChangedRule::a_matches);
  add(b, b_context, &ChangedRule::b_matches);
  std::vector<ChangedRule> changed;
  for (auto& [key, rule] : rules) {
    if (rule.a_matches != rule.b_matches) changed.push_back(std::move(rule));
  }
  std::ranges::stable_sort(changed, std::greater(),
                           [](const ChangedRule& rule) { return std::abs(rule.b_matches - rule.a_matches); });
  return changed;
}

}  // namespace vizd
