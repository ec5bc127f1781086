// Answers what the Inspector's find_total_for_module() does, its faults included. Pure functions.
#pragma once

#include <string>
#include <vector>

#include "reference/inspector/inspection.h"

namespace vizd::inspector {

// The keys of all modules that the blocks' nodes stand in, sorted, and the answer for one: the sum of the averages of
// events with a node in a module whose key holds the text.
std::vector<std::string> module_keys(const Inspection& inspection);
double module_total(const Inspection& inspection, const std::string& key);

}  // namespace vizd::inspector
