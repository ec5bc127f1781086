// The inputs of one call of a PyTorch operator as people read them: type, shape, and the layout where it is not the one
// that follows from the shape: "bf16[128, 256] strides [1, 128], f32[]". Equal texts are equal inputs. Pure.
#pragma once

#include <string>
#include <string_view>

namespace vizd {

// As the profiler recorded them, in JSON; "" where it did not.
struct RecordedInputs {
  std::string_view dims;     // "Input Dims": [[128, 256], []]
  std::string_view types;    // "Input type": ["c10::BFloat16", "float"]
  std::string_view strides;  // "Input Strides": [[1, 128], []]
};

// "" where no dims are recorded.
std::string operator_inputs_text(const RecordedInputs& inputs);

}  // namespace vizd
