// vizd diagnose FILE …: what a specialist would say first: what cost the most time, with its evidence.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "analysis/answers/answer_json.h"
#include "base/bounded_answers.h"
#include "base/parallel.h"
#include "base/standard_streams.h"
#include "cli/command_line/arguments.h"
#include "cli/command_line/command.h"
#include "cli/command_line/input.h"
#include "cli/command_line/progress.h"
#include "cli/command_line/row_ids.h"
#include "cli/devices/device_inputs.h"
#include "cli/devices/scope_arguments.h"
#include "cli/devices/scope_names.h"
#include "derived/naming_sources.h"
#include "derived/recorded_rows.h"
#include "diagnosis/diagnosis_json.h"
#include "diagnosis/rules.h"

namespace vizd {
namespace {

struct DiagnoseArguments {
  CommonArguments common;
  ScopeArguments scope;
  std::string peaks;
  std::size_t limit = kMostFindings;
  bool no_rules = false;
};

// A capture, what its devices did, and what the rules of its compiler did where that is asked.
struct Opened {
  InputSet set;
  std::shared_ptr<const LoadedCapture> loaded;
  NamedDevices devices;
  std::optional<RuleTable> rules;
  Absence without_rules;
  std::shared_ptr<const RecordedRows> recorded;
  RowIds ids;

  const Capture& capture() const { return loaded->capture; }
  const DeviceAnalysis& analysis() const { return *devices.analysis; }
};

void replay(Opened& opened, bool is_asked) {
  if (!opened.capture().has_rewrites) return;
  if (!is_asked) {
    opened.without_rules = {Nothing::kNotAsked, "rewrites were not replayed", "run it without --no-rules"};
    return;
  }
  Progress progress(stderr, "replaying");
  const auto tell = [&](std::uint32_t done, std::uint32_t of) { progress.tell(done, of); };
  auto table = make_rule_table(opened.capture(), {.stop = {}, .progress = tell, .threads = core_count()});
  if (table)
    opened.rules = *std::move(table);
  else
    opened.without_rules = {Nothing::kNotRecorded, "rewrites cannot be replayed: " + table.error().text(), ""};
}

std::optional<std::vector<Opened>> open_all(const DiagnoseArguments& arguments) {
  Sniffer sniffer;
  std::vector<Opened> all;
  for (const InputSet& set : arguments.common.inputs.all_sets(sniffer)) {
    auto loaded = open_input(set);
    if (!loaded) return std::nullopt;
    NamedDevices devices = analyse_named_devices(*loaded);
    auto recorded = recorded_rows(loaded->capture, Budget());  // without an end: no error
    all.push_back({set, std::move(loaded), std::move(devices), {}, {}, *std::move(recorded), RowIds(set)});
    replay(all.back(), !arguments.no_rules);
  }
  if (!all.empty()) return all;
  print_error("vizd: these folders contain nothing that vizd reads\n");
  return std::nullopt;
}

std::string finding_text(const Finding& finding, std::size_t number, const RowIds& ids) {
  std::string text = fmt::format("{}. {}\n   ", number, finding.title);
  if (finding.cost_ns) {
    text += fmt::format("{}, {} of {}", time_text(*finding.cost_ns), share_text(finding.share), finding.of);
    if (finding.per_step_ns) text += fmt::format(", {} a step", time_text(*finding.per_step_ns));
  } else {
    text += fmt::format("{} of {}, no time", share_text(finding.share), finding.of);
  }
  text += fmt::format(" ({}; rule {})\n   {}\n   next: {}\n", kSurenessWords[static_cast<std::size_t>(finding.sure)],
                      finding.rule, finding.detail, finding.next);
  for (const Evidence& evidence : finding.evidence) {
    text += fmt::format("   see {}: {}\n", evidence.id, evidence.shows);
    if (const RowId id = ids.of(evidence.id); !id.link.empty()) text += fmt::format("       {}\n", id.link);
  }
  return text;
}

void print(const std::string& name, const Diagnosis& diagnosis, const RowIds& ids) {
  print_record("{}: {} device{}, {} step{}, {} of devices' time; {}\n", name, diagnosis.devices,
               diagnosis.devices == 1 ? "" : "s", diagnosis.steps, diagnosis.steps == 1 ? "" : "s",
               time_text(diagnosis.whole_ns),
               diagnosis.findings.empty() ? "no findings"
                                          : fmt::format("{} finding{}, costs may overlap", diagnosis.findings.size(),
                                                        diagnosis.findings.size() == 1 ? "" : "s"));
  std::size_t number = 0;
  for (const Finding& finding : diagnosis.findings) print_record("{}", finding_text(finding, ++number, ids));
  if (diagnosis.left_out > 0) print_record("{} smaller findings; --limit 0 shows all\n", diagnosis.left_out);
  // Rules that lack the same are one line.
  std::vector<std::pair<std::string, std::string>> lines;  // why, and the rules
  for (const Silence& silence : diagnosis.silent) {
    const std::string why = silence.absence.text();
    const auto same = std::ranges::find(lines, why, [](const auto& line) { return line.first; });
    if (same != lines.end() && silence.absence.kind != Nothing::kNone)
      same->second += fmt::format(", {}", silence.rule);
    else
      lines.emplace_back(why, silence.rule);
  }
  for (const auto& [why, rules] : lines) print_record("{}: {}\n", rules, why);
}

}  // namespace

int run_diagnose(int argc, const char* const* argv) {
  CommandLine line("vizd diagnose",
                   "The findings that cost the most time, each with its cost, where it is, the confidence, and what to "
                   "do. Then every\nrule that found nothing: because there is nothing to find, or because the capture "
                   "lacks the data, with what to\nrecord. Several files are the ranks of one job.");
  DiagnoseArguments arguments;
  arguments.common.describe(line);
  line.option("--limit N [5]", arguments.limit, "At most this many findings; 0: all");
  line.option("--peaks FILE", arguments.peaks, "Peaks of devices, as JSON; they replace those that vizd knows")
      .existing_file();
  line.flag("--no-rules", arguments.no_rules, "Do not replay rewrites to find rules that undo each other");
  arguments.scope.describe(line);
  if (const auto code = line.parse(argc, argv)) return *code;
  const auto peaks = read_device_peaks(arguments.peaks);
  if (!peaks) return kExitFailure;
  const auto opened = open_all(arguments);
  if (!opened) return kExitFailure;
  const WorkScope scope = arguments.scope.scope();
  ScopeNames names(scope);
  for (const Opened& each : *opened) names.add(each.capture(), each.analysis().work);
  if (!names.check("diagnose")) return kExitFailure;
  std::vector<ProfiledRank> job;
  for (const Opened& each : *opened)
    job.push_back({each.capture(), each.analysis().work, each.analysis().operators,
                   items_in_scope(each.capture(), each.analysis().work, scope)});
  for (std::uint32_t place = 0; place < opened->size(); ++place) {
    const Opened& each = (*opened)[place];
    const DeviceAnalysis scoped =
        scope.is_all() ? DeviceAnalysis{} : in_scope(each.capture(), each.analysis(), scope.of_breakdowns());
    ExaminedCapture examined{each.capture(), scope.is_all() ? each.analysis() : scoped, *peaks, scope};
    if (opened->size() > 1) {
      examined.job = job;
      examined.place = place;
    }
    examined.rules = each.rules ? &*each.rules : nullptr;
    if (each.capture().has_rewrites) examined.without_rules = each.without_rules;
    examined.recorded = each.recorded.get();
    const Diagnosis diagnosis = diagnose(examined, arguments.limit == 0 ? SIZE_MAX : arguments.limit);
    if (arguments.common.json)
      print_answer("{}", diagnosis_lines(each.set.name, each.capture(), diagnosis));
    else
      print(each.set.name, diagnosis, each.ids);
  }
  return kExitOk;
}

}  // namespace vizd
