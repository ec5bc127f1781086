// A trace's file, counted record by record, as the scripts do that people have for such files. Every capture of a trace
// has these figures, whichever file keeps it now. One thread.
#include "reference/programs.h"
#include "reference/trace_file/trace_records.h"

namespace vizd::reference::trace_file {

extern const ReferenceProgram kProgram;
constinit const ReferenceProgram kProgram{
    .knows = [](const Capture& capture) { return capture.profile.is_trace; },
    .summarize =
        [](OpenSet&, const Capture& capture, const SummaryOptions&, const WriteText& write) {
          write_trace_records(capture, write);
          return Result<void>();
        },
    .summary_tables =
        [](OpenSet&, const Capture& capture, const SummaryOptions&) {
          return Result<std::vector<std::vector<OwnTable>>>(trace_tables(capture));
        },
};

}  // namespace vizd::reference::trace_file
