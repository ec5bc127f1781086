// Source locations as API.md has them: [file, line, code|null].
#pragma once

#include "base/json_writer.h"
#include "disasm/source_lines.h"
#include "model/capture.h"

namespace vizd {

void write_location(JsonWriter& json, const Capture& capture, LocationId id, SourceLines& sources);

}  // namespace vizd
