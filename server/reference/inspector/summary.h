// Writes what `vizd summary --json` prints of an ETDump: one record a line, of events, blocks, modules, nodes and
// numeric gaps, or of the file's runs as they are. One thread.
#pragma once

#include "formats/writer.h"
#include "reference/inspector/comparator.h"
#include "reference/inspector/inspection.h"

namespace vizd::inspector {

// comparator: a further measure of each gap; null: none.
void write_summary(const Inspection& inspection, Comparator* comparator, const WriteText& write);

// Each run of the file: what it has and counts of it. Errors: the file's.
Result<void> write_runs(const EtdumpFile& file, const WriteText& write);

}  // namespace vizd::inspector
