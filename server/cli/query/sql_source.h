// A capture that was read, as queries see it: for vizd sql, and for vizd push, whose store then shows what vizd sql
// does.
#pragma once

#include "disasm/source_lines.h"
#include "query/source.h"
#include "session/loaded_capture.h"

namespace vizd {

// Refers to both, which must outlive it.
sql::Source sql_source(const LoadedCapture& loaded, SourceLines& lines);

}  // namespace vizd
