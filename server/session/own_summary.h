// The figures that people expect of captures of one format, as a program that they knew has them. Any thread.
#pragma once

#include <string>
#include <vector>

#include "session/loaded_capture.h"

namespace vizd {

// Whether captures of that format have such.
bool has_own_summary(const LoadedCapture& loaded);

// One JSON object a record, read anew from the capture's files with these settings besides its own. Errors: they cannot
// be read any more, or the format has none.
Result<std::vector<std::string>> own_summary(const LoadedCapture& loaded, std::vector<Setting> settings);

}  // namespace vizd
