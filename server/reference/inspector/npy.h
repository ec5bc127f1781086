// Reads .npy files (versions 1 to 3), as numpy.save writes them, and writes them: the tensors of a reference. Any
// thread.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "base/result.h"
#include "formats/etdump/tensor_values.h"

namespace vizd::inspector {

using namespace etdump;

// A tensor of the file's bytes, which must outlive it unless they had to be put in order (big-endian or Fortran order),
// which the tensor then holds. Errors, with name as their place: no .npy, a type that no tensor has, too few bytes.
Result<Tensor> read_npy(std::span<const std::byte> bytes, const std::string& name);

// A file of the tensor, which must have data; of types that numpy lacks (bfloat16, float8) as float64.
std::string write_npy(const Tensor& tensor);

}  // namespace vizd::inspector
