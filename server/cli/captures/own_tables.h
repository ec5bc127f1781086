// The tables that people know of a capture's format, as the command line writes them. One thread.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "formats/registry.h"

namespace vizd {

// All of them, made from the set's files, for a workbook; none where the format has none, or sheets of its own.
Result<std::vector<OwnTable>> own_tables(const InputSet& set, const Capture& capture);

// The one of that name. Errors: there is none such, with the names of those that there are.
Result<OwnTable> own_table(const InputSet& set, const Capture& capture, const std::string& name);

}  // namespace vizd
