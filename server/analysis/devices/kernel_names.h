// Reads from a kernel's name whether it moves data between ranks, its family, and the kind of work that it does.
// Pure functions of the name as the capture has it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "analysis/devices/device_peaks.h"

namespace vizd {

// By the names of the libraries and the collectives. Compiled kernels (triton_…) are named for the operators they fuse:
// theirs says nothing of that.
bool is_communication_kernel(std::string_view name);

// Whether a lane of that name holds copies, not kernels: a DMA engine's.
bool is_copy_engine(std::string_view lane);
// Whether work of that name is a copy: "CPU -> GPU".
bool is_copy(std::string_view name);

// The name without what differs from one build or shape to the next: return type, template arguments, parameters, and
// the numbers and hashes at its end.
std::string kernel_family(std::string_view name);

// "GEMM", "attention", "convolution", "normalisation", "softmax", "reduction", "elementwise", "embedding", "sort",
// "optimizer", "random", "copy", "communication"; "other" where the name does not tell.
std::string_view kernel_category(std::string_view name);

// The precision that it computes in, as far as its name says.
std::optional<Precision> precision_of_kernel(std::string_view name);
// The precision that an operator multiplies in: the first type of its inputs that is one, as the profiler lists them in
// JSON.
std::optional<Precision> precision_of_types(std::string_view types);

}  // namespace vizd
