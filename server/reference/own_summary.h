// The figures that people expect of captures of one format (ReferenceProgram::summarize), for the page. Any thread.
#pragma once

#include <string>
#include <vector>

#include "session/loaded_capture.h"

namespace vizd {

// One JSON object a record, read anew from the capture's files with these settings besides its own. Errors: they cannot
// be read any more, or the format has none.
Result<std::vector<std::string>> own_summary(const LoadedCapture& loaded, std::vector<Setting> settings);

}  // namespace vizd
