// The pages that PyTorch writes of a snapshot, for people to look at: HTML that holds its pickle in base64
// (torch/cuda/_memory_viz.py, trace_plot and segment_plot). Pure; any thread.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "formats/open_set.h"

namespace vizd::torch_memory {

// By how a file begins.
bool is_viz_page(std::string_view beginning);

// The pickle in it, without the zeros that fill it up. Of a page that is cut what is there: the pickle's reader says
// so. Errors: FILE:OFFSET, where no snapshot is in the page, or what stands for one is no base64.
Result<std::vector<std::byte>> snapshot_in(const FormatInput& page);

}  // namespace vizd::torch_memory
