// Writes the comparison of two profiles as one page (cli/command_line/report.h). Pure.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/devices/comparison_verdict.h"
#include "analysis/devices/device_breakdown.h"
#include "analysis/devices/kernel_comparison.h"
#include "analysis/devices/kernel_rewrites.h"
#include "cli/command_line/report.h"

namespace vizd {

struct ComparedSide {
  std::string name;
  std::vector<DeviceBreakdown> breakdowns;
};

// A kernel that changed, and what the compiler did otherwise for it.
struct KernelRewriteChanges {
  std::string kernel;
  std::vector<ChangedRule> rules;
};

// most_regress: percent; none where no limit is given. rows: the greatest change first.
Report compare_report(const ComparedSide& a, const ComparedSide& b, const std::vector<ComparedKernel>& rows,
                      const std::optional<ComparisonVerdict>& verdict,
                      const std::vector<KernelRewriteChanges>& rewrites, std::optional<double> most_regress);

}  // namespace vizd
