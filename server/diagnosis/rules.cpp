#include "diagnosis/rules.h"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/recorded/why_no_work.h"

namespace vizd {
namespace {

void keep_if_large(std::vector<Finding>& findings, const DiagnosisRule& rule, std::vector<Finding>& all) {
  for (Finding& finding : findings) {
    finding.rule = rule.id;
    if (finding.share >= rule.least_share) all.push_back(std::move(finding));
  }
}

// What failed altogether, or is wrong with the capture, stands first, what costs no time that is known last.
std::int64_t weight_of(const Finding& finding) {
  if (finding.is_of_capture) return INT64_MAX;
  if (finding.is_no_loss) return 0;
  if (!finding.cost_ns) return finding.share >= 1 ? INT64_MAX : -1;
  return *finding.cost_ns;
}

}  // namespace

std::vector<DiagnosisRule> diagnosis_rules() {
  std::vector<DiagnosisRule> all;
  for (const auto rules : {idle_rules(), step_rules(), kernel_rules(), work_rules(), recording_rules(),
                           communication_rules(), host_rules(), memory_rules(), allocator_rules(), compiler_rules()})
    all.insert(all.end(), rules.begin(), rules.end());
  return all;
}

Diagnosis diagnose(const ExaminedCapture& capture, std::size_t most) {
  const Examined examined(capture);
  Diagnosis diagnosis;
  diagnosis.whole_ns = examined.whole().span_ns();
  diagnosis.devices = static_cast<std::size_t>(
      std::ranges::count_if(make_breakdowns(examined.work(), capture.scope.breakdown_options(examined.profile())),
                            [](const DeviceBreakdown& row) { return !row.stream; }));
  diagnosis.steps = examined.step_numbers();
  for (const DiagnosisRule& rule : diagnosis_rules()) {
    RuleAnswer answer = rule.find(examined);
    if (auto* const absence = std::get_if<Absence>(&answer)) {
      diagnosis.silent.push_back({rule.id, rule.looks_at, std::move(*absence)});
      continue;
    }
    const std::size_t before = diagnosis.findings.size();
    auto& found = std::get<std::vector<Finding>>(answer);
    const auto largest = std::ranges::max_element(found, {}, &Finding::share);
    const double share = largest == found.end() ? 0 : largest->share;
    const std::string_view of = largest == found.end() ? "" : largest->of;
    keep_if_large(found, rule, diagnosis.findings);
    if (diagnosis.findings.size() > before) continue;
    const std::string why = share == 0 ? std::string() : fmt::format("{} of {}", share_text(share), of);
    diagnosis.silent.push_back({rule.id, rule.looks_at, {Nothing::kNone, why, ""}});
  }
  std::ranges::stable_sort(diagnosis.findings, std::greater(), weight_of);
  if (diagnosis.findings.size() > most) {
    diagnosis.left_out = diagnosis.findings.size() - most;
    diagnosis.findings.resize(most);
  }
  if (diagnosis.steps > 0) {
    for (Finding& finding : diagnosis.findings)
      if (finding.cost_ns) finding.per_step_ns = *finding.cost_ns / static_cast<std::int64_t>(diagnosis.steps);
  }
  return diagnosis;
}

Absence without_device_work(const Examined& examined) {
  return why_no_work(examined.capture(), examined.of().scope, "the devices did nothing");
}

Absence not_recorded(const Examined& examined, Recordable what) { return not_recorded(examined.capture(), what); }

}  // namespace vizd
