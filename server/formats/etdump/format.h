// ExecuTorch's profiles: an ETDump with the ETRecord of its program and the debug buffer of its values.
#pragma once

#include <cstddef>
#include <span>

#include "formats/etdump/export_graphs.h"
#include "formats/registry.h"

namespace vizd::etdump {

extern const Format kFormat;

// Whether bytes begin like an ETDump, like a program (.pte), or like a zip whose first member is an ETRecord's mark.
bool sniff(const FileBeginning& beginning);

// Adds what the set's files hold to the capture. find_errors: export_graphs.h.
Result<void> read(OpenSet& set, const FindErrors& find_errors, Capture& capture);

}  // namespace vizd::etdump
