// The figures of PyTorch Inductor's profile_analysis, as torch 2.9 works them out, faults included, so that reports
// which were made with it can be compared: equal launches are one, each kernel of an operator has all of its work,
// bytes are of tensors multiplied together, and peaks are those of its own table. docs/formats/chrome.md says where it
// is wrong. Only what stops it is mended: operators that raise have no estimate. Pure.
#pragma once

#include <string>
#include <string_view>

#include "analysis/devices/device_work.h"
#include "analysis/devices/operators.h"

namespace vizd {

// Lines of JSON, one a device and kernel name. peak_type: "bfloat16", "float16", "float32", "float64", "int8": of
// kernels whose name does not tell.
std::string reference_estimates_json(const Capture& capture, const DeviceWork& work, const Operators& operators,
                                     std::string_view peak_type);

}  // namespace vizd
