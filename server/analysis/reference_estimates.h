#pragma once
#include <string>
#include "analysis/device_work.h"
#include "analysis/operators.h"
namespace vizd {
inline std::string reference_estimates_json(const Capture&, const DeviceWork&, const Operators&, std::string_view) { return ""; }
}
