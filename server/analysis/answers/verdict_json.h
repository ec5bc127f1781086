// The verdict of a comparison as JSON: the same on the command line and over HTTP. Pure.
#pragma once

#include "analysis/devices/comparison_verdict.h"
#include "base/json_writer.h"

namespace vizd {

// {"word", "of", "change_percent", "a": {"dur_ns", "count"}, "b", "range_ns", "classes": [{"class", "a_ns", "b_ns",
// "is_main"}], "causes": [{"row", "change_ns"}]}; row: its place among the rows of the comparison.
void write_verdict(JsonWriter& json, const ComparisonVerdict& verdict);

}  // namespace vizd
