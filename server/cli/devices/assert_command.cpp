// vizd assert FILE 'kernels.total < 12ms' …: whether figures of a capture stand as they should, for CI: an exit code, a
// line each, and a file of JUnit's form.
#include <fmt/format.h>

#include <algorithm>

#include "base/clean_text.h"
#include "base/standard_streams.h"
#include "cli/command_line/arguments.h"
#include "cli/command_line/command.h"
#include "cli/command_line/input.h"
#include "cli/command_line/output_file.h"
#include "cli/command_line/records.h"
#include "cli/devices/device_inputs.h"
#include "cli/devices/scope_arguments.h"
#include "cli/devices/scope_names.h"
#include "derived/naming_sources.h"
#include "diagnosis/measure.h"

namespace vizd {
namespace {

struct Judged {
  std::string capture;
  const Assertion* assertion = nullptr;
  Verdict verdict;
};

std::string junit(const std::vector<Judged>& judged) {
  const auto failures = std::ranges::count_if(judged, [](const Judged& each) { return !each.verdict.holds; });
  std::string xml = fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites><testsuite name=\"vizd assert\" tests=\"{}\" "
      "failures=\"{}\">\n",
      judged.size(), failures);
  for (const Judged& each : judged) {
    xml += fmt::format("  <testcase classname=\"{}\" name=\"{}\"", markup_text(each.capture),
                       markup_text(each.assertion->text));
    if (each.verdict.holds)
      xml += "/>\n";
    else
      xml += fmt::format("><failure message=\"{}\"/></testcase>\n", markup_text(each.verdict.reason));
  }
  return xml + "</testsuite></testsuites>\n";
}

void print_measures(bool json) {
  constexpr std::string_view kUnits[] = {"count", "time", "%", "bytes"};
  Records records({"measure", "of", "is"});
  for (const Measure& measure : measures())
    records.add({std::string(measure.name) + (measure.takes_argument ? "(NAME)" : ""),
                 std::string(kUnits[static_cast<std::size_t>(measure.unit)]), std::string(measure.about)});
  records.print(stdout, json);
}

// Takes the assertions out of the words that are files else.
Result<std::vector<Assertion>> take_assertions(std::vector<std::string>& words) {
  std::vector<Assertion> assertions;
  for (const std::string& word : words) {
    if (!looks_like_assertion(word)) continue;
    auto assertion = parse_assertion(word);
    if (!assertion) return assertion.error();
    assertions.push_back(*std::move(assertion));
  }
  std::erase_if(words, looks_like_assertion);
  return assertions;
}

}  // namespace

int run_assert(int argc, const char* const* argv) {
  CommandLine line("vizd assert",
                   "Checks figures of captures against limits: vizd assert FILE 'kernels.total < 12ms' 'devices.busy "
                   ">= 90%'.\nPrints a line for each assertion with its figure; an assertion whose figure is not "
                   "recorded fails. Exits with 0\nif all hold, 1 if one fails, 2 if one cannot be understood.");
  CommonArguments common;
  ScopeArguments scoped;
  std::string junit_path;
  bool lists = false;
  line.option("--junit FILE", junit_path, "Also write the results as JUnit XML");
  line.flag("--measures", lists, "List the measures that can be asserted");
  common.describe(line);
  scoped.describe(line);
  if (argc == 2 && std::string_view(argv[1]) == "--measures") return print_measures(false), kExitOk;
  if (const auto code = line.parse(argc, argv)) return *code;
  if (lists) return print_measures(common.json), kExitOk;
  const auto assertions = take_assertions(common.inputs.paths);
  if (!assertions) return line.refuse(assertions.error().text());
  if (assertions->empty())
    return line.refuse(
        "needs an assertion, such as 'kernels.total < 12ms'; vizd assert --measures lists what can be asserted");
  if (common.inputs.is_empty()) return line.refuse("name a capture: a file or a folder");
  const WorkScope scope = scoped.scope();
  const DevicePeaks peaks;
  std::vector<Judged> judged;
  ScopeNames names(scope);
  Sniffer sniffer;
  for (const InputSet& set : common.inputs.all_sets(sniffer)) {
    const auto loaded = open_input(set);
    if (!loaded) return kExitFailure;
    const NamedDevices devices = analyse_named_devices(*loaded);
    const DeviceAnalysis& whole = *devices.analysis;
    names.add(loaded->capture, whole.work);
    const DeviceAnalysis analysis = scope.is_all() ? whole : in_scope(loaded->capture, whole, scope.of_breakdowns());
    const Examined examined({loaded->capture, analysis, peaks, scope});
    for (const Assertion& assertion : *assertions) judged.push_back({set.name, &assertion, judge(assertion, examined)});
  }
  if (!names.check("assert")) return kExitFailure;
  Records records({"verdict", "assertion", "reason", "capture"});
  for (const auto& [capture, assertion, verdict] : judged)
    records.add({std::string(verdict.holds ? "holds" : "FAILS"), assertion->text, verdict.reason, capture});
  records.print(stdout, common.json);
  if (!junit_path.empty()) {
    const auto file =
        OutputFile::create({.path = junit_path, .overwrites = true, .named = common.inputs.paths}, common.inputs.paths);
    if (file) (*file)->write(junit(judged));
    const auto written = file ? (*file)->finish() : Result<std::uint64_t>(file.error());
    if (!written) {
      print_error("vizd assert: {}\n", written.error().text());
      return kExitFailure;
    }
  }
  const bool all_hold = std::ranges::all_of(judged, [](const Judged& each) { return each.verdict.holds; });
  return all_hold && !judged.empty() ? kExitOk : kExitFailure;
}

}  // namespace vizd
