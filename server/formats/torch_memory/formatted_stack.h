// A stack as Python's traceback module formats it, taken apart. Any thread.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace vizd::torch_memory {

struct FormattedFrame {
  std::string_view function, file;
  std::uint32_t line = 0;  // 0 where that is not told
  std::string_view code;   // the line itself; "" where it does not follow
  bool operator==(const FormattedFrame&) const = default;
};

// Texts such as `  File "model.py", line 33, in forward`, in their order; the code below each is its second line, or
// the next text. What else stands between them is a frame by its own words. Views into the texts.
std::vector<FormattedFrame> parse_formatted_stack(std::span<const std::string_view> texts);

}  // namespace vizd::torch_memory
