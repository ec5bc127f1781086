// A diagnosis as JSON: one document for the page, or a record a line for programs. Pure.
#pragma once

#include <string>
#include <string_view>

#include "base/json_writer.h"
#include "diagnosis/finding.h"
#include "model/capture.h"

namespace vizd {

// {"whole_ns", "devices", "steps", "findings": [{…, "evidence": [{"id", "shows", "link"}]}], "left_out",
// "silent": [{"rule", "looks_at", "nothing", "why", "how"}]}
void write_diagnosis(JsonWriter& json, const Capture& capture, const Diagnosis& diagnosis);

// The findings, then what was silent, each an object a line, which begins with the capture's name.
std::string diagnosis_lines(std::string_view name, const Capture& capture, const Diagnosis& diagnosis);

}  // namespace vizd
