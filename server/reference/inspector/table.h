// The table of a block's events that ExecuTorch's Inspector writes with save_data_to_tsv(), as tab- or comma-separated
// text. One thread.
#pragma once

#include "formats/writer.h"
#include "reference/inspector/inspection.h"

namespace vizd::inspector {

// separator: a tab or a comma. Cells are quoted where they hold it, a quote or a line's end. Operator calls, which are
// around other events, are left out. Delegates' metadata have columns where they are there and the answer is vizd's
// own.
void write_table(const Inspection& inspection, char separator, const WriteText& write);

}  // namespace vizd::inspector
