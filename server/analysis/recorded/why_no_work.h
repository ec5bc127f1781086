// Why an answer about the work of devices is empty: the capture tells nothing of such work, none lies in the scope, or
// it was looked for and there is none. Pure; any thread.
#pragma once

#include "analysis/devices/work_scope.h"
#include "analysis/recorded/recordable.h"

namespace vizd {

// none: what to say in the last case.
Absence why_no_work(const Capture& capture, const WorkScope& scope, std::string none);

}  // namespace vizd
