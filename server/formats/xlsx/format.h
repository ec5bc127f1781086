// Workbooks (.xlsx), for spreadsheet programs.
#pragma once

#include "formats/registry.h"

namespace vizd::xlsx {

extern const Format kFormat;

}  // namespace vizd::xlsx
