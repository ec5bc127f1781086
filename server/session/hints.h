// Tells people who have no capture how to make one, in the formats' own words. Any thread.
#pragma once

#include <string>
#include <vector>

namespace vizd {

// Lines of text; a line that begins with two spaces is a command to copy.
std::vector<std::string> how_to_make_captures();

}  // namespace vizd
