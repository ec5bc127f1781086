// The Inspector's tables for spreadsheets and other programs: events, time by name and by module, who ran it, and how
// far values are from a reference. Pure functions.
#pragma once

#include <vector>

#include "formats/etdump/inspection.h"
#include "formats/own_table.h"

namespace vizd::etdump {

// "events", "names", "modules", "delegation", "partitions", "gaps".
std::vector<OwnTable> tables_of(const Inspection& inspection);

}  // namespace vizd::etdump
