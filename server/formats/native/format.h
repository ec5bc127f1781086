// vizd's own capture format (include/vizd/FORMAT.md): what any compiler writes with include/vizd/capture_writer.h, and
// what `vizd convert` makes of other captures.
#pragma once

#include <cstddef>
#include <span>

#include "formats/registry.h"

namespace vizd::native {

extern const Format kFormat;

bool sniff(const FileBeginning& beginning);

// Reads every chunk that is whole; what is not gets a warning that names its place. Errors: another version of the
// format; no whole chunk at all.
Result<void> read(const FormatInput& input, Capture& capture);
Result<void> read_beginning(const FormatInput& input, unsigned parts, Capture& capture);

}  // namespace vizd::native
