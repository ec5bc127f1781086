// Source locations as API.md has them: [file, line, code|null].
#pragma once

#include "base/json_writer.h"
#include "model/capture.h"
#include "session/source_lines.h"

namespace vizd {

void write_location(JsonWriter& json, const Capture& capture, LocationId id, SourceLines& sources);

}  // namespace vizd
