// The answer of `vizd memory SNAPSHOT` alone: what there is to know of a snapshot first, on one screen. One thread.
#pragma once

#include <string>

#include "formats/torch_memory/answers/memory_file.h"

namespace vizd {

std::string memory_report(torch_memory::MemoryFile& file, const std::string& name);

}  // namespace vizd
