// The verdict of a comparison as sentences, for the terminal and for reports. Pure.
#pragma once

#include <string>
#include <vector>

#include "analysis/devices/comparison_verdict.h"

namespace vizd {

// The verdict, then the classes of work that its change is made of.
std::vector<std::string> verdict_lines(const ComparisonVerdict& verdict);

}  // namespace vizd
