// Rules about the compiler: a pass that takes much of the time of rewriting, and rules that take back what others did.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>
#include <unordered_map>

#include "diagnosis/page_place.h"
#include "diagnosis/rules.h"

namespace vizd {
namespace {

constexpr double kLeastPass_s = 0.05;
constexpr std::uint32_t kFewestUndone = 8;
constexpr std::size_t kMostPairs = 2;

double seconds_of(std::span<const Match> matches) {
  double sum_s = 0;
  for (const Match& match : matches) sum_s += std::max<double>(match.dur_s, 0);
  return sum_s;
}

// By pass how long its own matches took: without passes that ran inside of them, which are told by themselves.
std::vector<double> self_seconds(const Rewrites& rewrites) {
  std::vector<double> self_s;
  std::vector<std::size_t> open;  // the pass before and those around it
  for (std::size_t p = 0; p < rewrites.passes.size(); ++p) {
    const Pass& pass = rewrites.passes[p];
    const double dur_s = seconds_of(rewrites.matches_of(pass));
    self_s.push_back(dur_s);
    while (!open.empty() && rewrites.passes[open.back()].depth >= pass.depth) open.pop_back();
    if (!open.empty()) self_s[open.back()] -= dur_s;
    open.push_back(p);
  }
  for (double& of_pass : self_s) of_pass = std::max(of_pass, 0.0);
  return self_s;
}

// The self time of each pass; none where no match has a time, and then the reason.
struct RewritingTime {
  double total_s = 0;
  Absence absence;
};

RewritingTime rewriting_time(const Examined& examined) {
  const Rewrites& rewrites = examined.capture().rewrites;
  if (!examined.capture().has_rewrites) return {0, not_recorded(examined, Recordable::kRewrites)};
  if (rewrites.matches.empty()) return {0, {Nothing::kNone, "no rule matched", ""}};
  if (!is_recorded(examined.capture(), Recordable::kMatchTimes))
    return {0, not_recorded(examined, Recordable::kMatchTimes)};
  const std::vector<double> self_s = self_seconds(rewrites);
  return {std::accumulate(self_s.begin(), self_s.end(), 0.0), {}};
}

Finding of_rewriting(std::string title, std::string detail, double cost_s, double total_s, Sureness sure) {
  Finding finding;
  finding.title = std::move(title);
  finding.detail = std::move(detail);
  finding.cost_ns = std::llround(cost_s * 1e9);
  finding.share = total_s > 0 ? cost_s / total_s : 0;
  finding.of = "the time of rewriting";
  finding.sure = sure;
  return finding;
}

std::string place_of(const Examined& examined, LocationId rule) {
  const Location& at = examined.capture().rewrites.locations[index(rule)];
  return fmt::format("{}:{}", shown_name(examined.capture().strings.get(at.file)), at.line);
}

// Among the rules in passes of a name, the one whose matches take the most time.
struct CostlyRule {
  LocationId at{};
  double dur_s = 0, most_s = -1;
  std::uint64_t matches = 0;
  std::uint32_t slowest = 0;  // match
};

CostlyRule costliest_rule(const Rewrites& rewrites, StringId pass_name) {
  std::unordered_map<LocationId, CostlyRule> rules;
  for (const Pass& pass : rewrites.passes) {
    if (pass.name != pass_name) continue;
    for (std::uint32_t m = pass.first_match; m < pass.first_match + pass.match_count; ++m) {
      const double dur_s = std::max<double>(rewrites.matches[m].dur_s, 0);
      CostlyRule& rule = rules[rewrites.matches[m].rule];
      rule.at = rewrites.matches[m].rule;
      rule.dur_s += dur_s;
      ++rule.matches;
      if (dur_s > rule.most_s) rule.most_s = dur_s, rule.slowest = m;
    }
  }
  const auto most = std::ranges::max_element(rules, {}, [](const auto& each) { return each.second.dur_s; });
  return most == rules.end() ? CostlyRule{} : most->second;
}

RuleAnswer costly_pass(const Examined& examined) {
  const auto [total_s, absence] = rewriting_time(examined);
  if (total_s <= 0) return absence;
  struct Sum {
    double dur_s = 0, most_s = -1;
    std::uint64_t matches = 0, passes = 0;
    std::uint32_t longest = 0;
  };
  const Rewrites& rewrites = examined.capture().rewrites;
  const std::vector<double> self_s = self_seconds(rewrites);
  std::unordered_map<StringId, Sum> sums;
  for (std::uint32_t p = 0; p < rewrites.passes.size(); ++p) {
    const Pass& pass = rewrites.passes[p];
    const double dur_s = self_s[p];
    Sum& sum = sums[pass.name];
    sum.dur_s += dur_s;
    sum.matches += pass.match_count;
    ++sum.passes;
    if (dur_s > sum.most_s) sum.most_s = dur_s, sum.longest = p;
  }
  const auto most = std::ranges::max_element(sums, {}, [](const auto& each) { return each.second.dur_s; });
  if (most == sums.end() || most->second.dur_s < kLeastPass_s)
    return Absence{Nothing::kNone, fmt::format("rewriting takes {} in all", time_text(std::llround(total_s * 1e9))),
                   ""};
  const Sum& sum = most->second;
  const CostlyRule rule = costliest_rule(rewrites, most->first);
  Finding finding = of_rewriting(
      fmt::format("an expensive rewrite pass: {}", shown_name(examined.capture().strings.get(most->first))),
      fmt::format("{} in {} of that name, without passes inside them; {} of rule {} take {}{}",
                  count_text(static_cast<std::int64_t>(sum.matches), "match"),
                  count_text(static_cast<std::int64_t>(sum.passes), "pass"),
                  count_text(static_cast<std::int64_t>(rule.matches), "match"), place_of(examined, rule.at),
                  time_text(std::llround(rule.dur_s * 1e9)),
                  rule.dur_s > sum.dur_s ? ", with passes that ran inside them" : ""),
      sum.dur_s, total_s, Sureness::kMeasured);
  finding.next = "look at what that rule does, and at its slowest match; vizd rules lists the others";
  finding.evidence = {{pass_id(sum.longest), "the longest of them"}, {match_id(rule.slowest), "that rule's slowest"}};
  return std::vector{std::move(finding)};
}

RuleAnswer undoing_rules(const Examined& examined) {
  if (!examined.capture().has_rewrites) return not_recorded(examined, Recordable::kRewrites);
  const RuleTable* const table = examined.of().rules;
  if (table == nullptr) return examined.of().without_rules;
  if (table->undone.empty()) return Absence{Nothing::kNone, "no rule undoes what another did", ""};
  const auto [total_s, absence] = rewriting_time(examined);
  if (total_s <= 0) return absence;
  const Rewrites& rewrites = examined.capture().rewrites;
  const auto mean_s = [&](LocationId rule) {
    const auto row = std::ranges::find(table->rows, rule, &RuleRow::rule);
    return row == table->rows.end() || row->matches == 0 ? 0 : row->dur_s / row->matches;
  };
  const auto place = [&](LocationId rule) { return place_of(examined, rule); };
  std::vector<Finding> findings;
  for (const UndonePair& pair : table->undone) {
    if (pair.count < kFewestUndone || findings.size() == kMostPairs) break;
    Finding finding =
        of_rewriting(fmt::format("a rule undoes another: {} takes back {}", place(pair.by), place(pair.undone)),
                     fmt::format("{}, and the graph is as before", times_text(pair.count)),
                     pair.count * (mean_s(pair.undone) + mean_s(pair.by)), total_s, Sureness::kLikely);
    finding.next = "narrow the pattern of one of the two, or put them into different passes";
    const std::uint32_t first = rewrites.passes[pair.pass].first_match;
    finding.evidence = {{pair.to > 0 ? match_id(first + pair.to - 1) : pass_id(pair.pass), "where it does so first"},
                        {"rule:" + place(pair.undone), "the rule that is undone"},
                        {"rule:" + place(pair.by), "the rule that undoes it"}};
    findings.push_back(std::move(finding));
  }
  if (findings.empty())
    return Absence{Nothing::kNone, fmt::format("{} at most", times_text(table->undone.front().count)), ""};
  return findings;
}

constexpr std::array kCompilerRules{
    DiagnosisRule{"costly-pass", "passes by the time of their matches", 0.25, costly_pass},
    DiagnosisRule{"undoing-rules", "rules that undo what others did", 0.01, undoing_rules},
};

}  // namespace

std::span<const DiagnosisRule> compiler_rules() { return kCompilerRules; }

}  // namespace vizd
