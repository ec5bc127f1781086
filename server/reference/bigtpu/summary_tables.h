// What each core of a TPU did as tables for people, made of the records that `vizd summary --json` prints. Pure
// functions.
#pragma once

#include <string>
#include <vector>

#include "formats/own_table.h"

namespace vizd::bigtpu {

// vizd's own figures: of each device a table of its cores, and one of its CDMA ports where it has some.
std::vector<std::vector<OwnTable>> device_tables(const std::string& records);

// bigTpuProfile's: the rows of its summary.txt under its headings, a table for each device.
std::vector<std::vector<OwnTable>> original_tables(const std::string& records);

}  // namespace vizd::bigtpu
