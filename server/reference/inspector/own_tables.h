// The Inspector's tables for spreadsheets and other programs: events, time by name and by module, who ran it, and how
// far values are from a reference. Pure functions.
#pragma once

#include <vector>

#include "formats/own_table.h"
#include "reference/inspector/inspection.h"

namespace vizd::inspector {

// "events", "names", "modules", "delegation", "partitions", "gaps".
std::vector<OwnTable> tables_of(const Inspection& inspection);

}  // namespace vizd::inspector
