#include "cli/devices/compare_report.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/version.h"
#include "cli/devices/answer_records.h"
#include "cli/devices/verdict_text.h"

namespace vizd {
namespace {

using Kind = Report::Kind;

constexpr std::size_t kMostShown = 10, kMostRows = 200, kMostRules = 12;

// A change that is within what differs from run to run anyway is no one's to judge.
constexpr double kNoise_percent = 0.5;

std::string time_of(std::int64_t dur_ns) { return duration_text(static_cast<double>(dur_ns)); }
std::string change_of(std::int64_t dur_ns) { return (dur_ns > 0 ? "+" : "") + time_of(dur_ns); }

std::optional<double> percent_change(std::int64_t a, std::int64_t b) {
  if (a == 0) return std::nullopt;
  return 100 * static_cast<double>(b - a) / static_cast<double>(a);
}

std::string signed_percent(const std::optional<double>& percent) {
  return percent ? fmt::format("{:+.1f} %", *percent) : "";
}

Report::Tone tone_of(std::int64_t a, std::int64_t b) {
  const auto percent = percent_change(a, b);
  if (percent && std::abs(*percent) < kNoise_percent) return Report::Tone::kPlain;
  return b > a ? Report::Tone::kBad : b < a ? Report::Tone::kGood : Report::Tone::kPlain;
}

// Adds up the breakdowns of whole devices.
DeviceBreakdown sum_of(const std::vector<DeviceBreakdown>& rows) {
  DeviceBreakdown sum;
  for (const DeviceBreakdown& row : rows) {
    if (row.stream) continue;
    sum.events += row.events;
    sum.end_ns += row.span_ns();
    for (const auto member :
         {&DeviceBreakdown::busy_ns, &DeviceBreakdown::compute_ns, &DeviceBreakdown::exposed_communication_ns,
          &DeviceBreakdown::exposed_memory_ns, &DeviceBreakdown::idle_host_ns, &DeviceBreakdown::idle_kernel_ns,
          &DeviceBreakdown::idle_other_ns, &DeviceBreakdown::not_recorded_ns})
      sum.*member += row.*member;
  }
  return sum;
}

struct TimePart {
  const char* title;
  std::int64_t DeviceBreakdown::*member;
};
constexpr TimePart kParts[] = {{"computing", &DeviceBreakdown::compute_ns},
                               {"communication alone", &DeviceBreakdown::exposed_communication_ns},
                               {"copies alone", &DeviceBreakdown::exposed_memory_ns},
                               {"idle: the host was late", &DeviceBreakdown::idle_host_ns},
                               {"idle: kernel to kernel", &DeviceBreakdown::idle_kernel_ns},
                               {"idle: other", &DeviceBreakdown::idle_other_ns},
                               {"not recorded", &DeviceBreakdown::not_recorded_ns}};

Report::Bar bar_of(const std::string& label, const DeviceBreakdown& sum, std::int64_t longest_ns) {
  Report::Bar bar{.label = label, .parts = {}, .whole = static_cast<double>(longest_ns)};
  int colour = 0;
  for (const TimePart& part : kParts)
    bar.parts.push_back({part.title, static_cast<double>(sum.*part.member), colour++});
  return bar;
}

Report::Table time_table(const DeviceBreakdown& a, const DeviceBreakdown& b) {
  Report::Table table{.heading = "Where the time went",
                      .columns = {{"", Kind::kText}, {"A"}, {"B"}, {"change"}, {""}},
                      .rows = {},
                      .is_folded = false,
                      .note = "For all devices, each from its first work to the end of its last."};
  const auto add = [&](const char* title, std::int64_t of_a, std::int64_t of_b, bool judged) {
    if (of_a == 0 && of_b == 0) return;
    const Report::Tone tone = judged ? tone_of(of_a, of_b) : Report::Tone::kPlain;
    table.rows.push_back({{title},
                          {time_of(of_a)},
                          {time_of(of_b)},
                          {change_of(of_b - of_a), tone},
                          {signed_percent(percent_change(of_a, of_b)), tone}});
  };
  add("first work to last", a.span_ns(), b.span_ns(), true);
  add("busy", a.busy_ns, b.busy_ns, false);
  for (const TimePart& part : kParts) add(part.title, a.*part.member, b.*part.member, true);
  return table;
}

std::string kernel_name(const ComparedKernel& row) {
  if (row.name.empty()) return "(operator unknown)";
  // A C++ function's type of result tells nothing.
  const std::string name = row.name.starts_with("void ") ? row.name.substr(5) : row.name;
  return row.occurrence == 0 ? name : fmt::format("{} #{}", name, row.occurrence);
}

// How often: of an operator how often it was called.
std::int64_t count_of(const ComparedKernel::Side& side) { return side.calls > 0 ? side.calls : side.launches; }

bool is_in_both(const ComparedKernel& row) { return row.a.launches > 0 && row.b.launches > 0; }

// Shows the rows for which takes(row) holds; no table if there are none.
template <typename Takes>
void add_table(Report& report, const std::string& heading, const std::vector<ComparedKernel>& rows, std::size_t most,
               bool is_folded, Takes&& takes) {
  const bool of_calls =
      std::ranges::any_of(rows, [](const ComparedKernel& row) { return row.a.calls + row.b.calls > 0; });
  Report::Table table{.heading = heading,
                      .columns = {{of_calls ? "operator" : "kernel", Kind::kCode},
                                  {of_calls ? "calls" : "launches"},
                                  {"A"},
                                  {"B"},
                                  {"change"},
                                  {""},
                                  {"median, 95 %"}},
                      .rows = {},
                      .is_folded = is_folded,
                      .note = ""};
  std::size_t count = 0;
  for (const ComparedKernel& row : rows) {
    if (!takes(row) || ++count > most) continue;
    const Report::Tone tone = tone_of(row.a.total_ns, row.b.total_ns);
    const auto& change = row.median_change_ns;
    const auto signed_text = [](double ns) { return (ns > 0 ? "+" : "") + duration_text(ns); };
    table.rows.push_back(
        {{kernel_name(row)},
         {count_of(row.a) == count_of(row.b) ? fmt::format("{}", count_of(row.a))
                                             : fmt::format("{} → {}", count_of(row.a), count_of(row.b))},
         {row.a.launches == 0 ? "" : time_of(row.a.total_ns)},
         {row.b.launches == 0 ? "" : time_of(row.b.total_ns)},
         {change_of(row.delta_total_ns()), tone},
         is_in_both(row) ? Report::Field{signed_percent(percent_change(row.a.total_ns, row.b.total_ns)), tone}
                         : Report::Field{row.a.launches == 0 ? "added" : "removed"},
         {change ? fmt::format("{} to {}", signed_text(change->first), signed_text(change->second)) : ""}});
  }
  if (count == 0) return;
  if (count > most) table.note = fmt::format("{} more", count - most);
  if (is_folded) table.heading += fmt::format(" ({})", count);
  report.tables.push_back(std::move(table));
}

void add_rewrites(Report& report, const KernelRewriteChanges& changes) {
  Report::Table table{.heading = "Rewrites that differ for " + changes.kernel,
                      .columns = {{"pass", Kind::kCode}, {"rule", Kind::kCode}, {"A"}, {"B"}, {"change"}},
                      .rows = {},
                      .is_folded = true,
                      .note = ""};
  for (const ChangedRule& rule : changes.rules) {
    if (table.rows.size() == kMostRules) break;
    table.rows.push_back({{rule.pass},
                          {fmt::format("{}:{}", rule.file, rule.line)},
                          {fmt::format("{}", rule.a_matches)},
                          {fmt::format("{}", rule.b_matches)},
                          {fmt::format("{:+}", rule.b_matches - rule.a_matches)}});
  }
  if (changes.rules.size() > kMostRules) table.note = fmt::format("{} more", changes.rules.size() - kMostRules);
  report.tables.push_back(std::move(table));
}

void add_verdict(Report& report, const ComparisonVerdict& verdict) {
  using enum Report::Tone;
  const std::string_view word = verdict.word();
  const auto lines = verdict_lines(verdict);
  report.lines.push_back({lines[0], word == "slower" ? kBad : word == "faster" ? kGood : kPlain});
  for (std::size_t i = 1; i < lines.size(); ++i) report.lines.push_back({lines[i]});
}

}  // namespace

Report compare_report(const ComparedSide& a, const ComparedSide& b, const std::vector<ComparedKernel>& rows,
                      const std::optional<ComparisonVerdict>& verdict,
                      const std::vector<KernelRewriteChanges>& rewrites, std::optional<double> most_regress) {
  Report report;
  report.title = fmt::format("{} → {}", a.name, b.name);
  std::int64_t a_ns = 0, b_ns = 0;
  std::size_t added = 0, removed = 0;
  for (const ComparedKernel& row : rows) {
    a_ns += row.a.total_ns;
    b_ns += row.b.total_ns;
    added += row.a.launches == 0;
    removed += row.b.launches == 0;
  }
  if (verdict) add_verdict(report, *verdict);
  const auto percent = percent_change(a_ns, b_ns);
  report.lines.push_back({fmt::format("All device work {} → {} ({}{})", time_of(a_ns), time_of(b_ns),
                                      change_of(b_ns - a_ns), percent ? ", " + signed_percent(percent) : ""),
                          tone_of(a_ns, b_ns)});
  if (most_regress) {
    const bool is_beyond = percent.value_or(0) > *most_regress;
    report.lines.push_back({fmt::format("{} the limit of {:+.1f} %", is_beyond ? "Beyond" : "Within", *most_regress),
                            is_beyond ? Report::Tone::kBad : Report::Tone::kGood});
  }
  report.lines.push_back(
      {fmt::format("{} kernels in both, {} added, {} removed", rows.size() - added - removed, added, removed)});
  const DeviceBreakdown of_a = sum_of(a.breakdowns), of_b = sum_of(b.breakdowns);
  const std::int64_t longest_ns = std::max(of_a.span_ns(), of_b.span_ns());
  report.bars = {bar_of("A " + time_of(of_a.span_ns()), of_a, longest_ns),
                 bar_of("B " + time_of(of_b.span_ns()), of_b, longest_ns)};
  report.tables.push_back(time_table(of_a, of_b));
  add_table(report, "Slower", rows, kMostShown, false,
            [](const ComparedKernel& row) { return is_in_both(row) && row.delta_total_ns() > 0; });
  add_table(report, "Faster", rows, kMostShown, false,
            [](const ComparedKernel& row) { return is_in_both(row) && row.delta_total_ns() < 0; });
  add_table(report, "Added", rows, kMostShown, false, [](const ComparedKernel& row) { return row.a.launches == 0; });
  add_table(report, "Removed", rows, kMostShown, false, [](const ComparedKernel& row) { return row.b.launches == 0; });
  for (const KernelRewriteChanges& changes : rewrites) add_rewrites(report, changes);
  add_table(report, "All kernels", rows, kMostRows, true, [](const ComparedKernel&) { return true; });
  report.footer = fmt::format("A: {} · B: {} · vizd {}", a.name, b.name, kVersion);
  return report;
}

}  // namespace vizd
