// XProf, for XPlane files: the figures that `vizd summary --json` has of them, where XProf shows such, and counts of
// what the file holds. One thread.
#include "reference/programs.h"
#include "reference/xprof/summary_records.h"

namespace vizd::reference::xprof {

extern const ReferenceProgram kProgram;
constinit const ReferenceProgram kProgram{
    .format = "xplane",
    .summarize =
        [](OpenSet&, const Capture& capture, const SummaryOptions&, const WriteText& write) {
          if (capture.profile.xla != nullptr) write_summary_records(capture, write);
          return Result<void>();
        },
};

}  // namespace vizd::reference::xprof
