// ItemScan: where a JSON value ends that is not all there yet. Looks only at quotes, backslashes and brackets, each
// byte once, 64 at a time where the machine can. One thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace vizd::chrome_trace {

class ItemScan {
 public:
  // The size of the value that the text begins with; none where the text ends first. To go on, call it again with the
  // same text and what came after.
  std::optional<std::size_t> find_end(std::string_view text);

 private:
  std::optional<std::size_t> find_scalar_end(std::string_view text);
  std::optional<std::size_t> scan_bytes(std::string_view text, std::size_t end);
  std::optional<std::size_t> scan_block(std::string_view text);

  std::size_t at_ = 0;  // so much is looked at
  std::int64_t depth_ = 0;
  bool is_in_text_ = false;
  bool is_escaped_ = false;  // the byte at at_ is
};

}  // namespace vizd::chrome_trace
