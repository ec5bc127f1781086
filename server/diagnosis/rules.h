// The rules of a diagnosis: each looks at one way to lose time. They are a table: what a rule looks at, the least share
// at which it speaks, and how it finds; a group of them a file. Pure.
#pragma once

#include <span>
#include <string_view>
#include <variant>
#include <vector>

#include "analysis/recorded/recordable.h"
#include "diagnosis/examined.h"

namespace vizd {

// Findings, or why there is none.
using RuleAnswer = std::variant<std::vector<Finding>, Absence>;

struct DiagnosisRule {
  std::string_view id;
  std::string_view looks_at;  // in a few words
  double least_share = 0;     // a finding that costs less of its whole is none
  RuleAnswer (*find)(const Examined& examined);
};

std::span<const DiagnosisRule> idle_rules();
std::span<const DiagnosisRule> step_rules();
std::span<const DiagnosisRule> kernel_rules();
std::span<const DiagnosisRule> work_rules();
std::span<const DiagnosisRule> recording_rules();
std::span<const DiagnosisRule> communication_rules();
std::span<const DiagnosisRule> host_rules();
std::span<const DiagnosisRule> memory_rules();
std::span<const DiagnosisRule> allocator_rules();
std::span<const DiagnosisRule> compiler_rules();

// All, in that order.
std::vector<DiagnosisRule> diagnosis_rules();

// What the rules find, so many findings at most.
inline constexpr std::size_t kMostFindings = 5;
Diagnosis diagnose(const ExaminedCapture& capture, std::size_t most = kMostFindings);

// The answer of a rule that needs work of devices, where there is none.
Absence without_device_work(const Examined& examined);
// The answer of a rule that needs something else recorded.
Absence not_recorded(const Examined& examined, Recordable what);

}  // namespace vizd
