// BlockValues: what a runtime logged as values, with the debug buffer's data. The values refer to the buffer. One
// thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "formats/etdump/etdump_file.h"
#include "formats/etdump/tensor_values.h"

namespace vizd::etdump {

class BlockValues {
 public:
  // buffer: none: logged tensors have no data. What is wrong with it is added to warnings, once each.
  BlockValues(std::optional<std::span<const std::byte>> buffer, std::vector<std::string>& warnings)
      : buffer_(buffer), warnings_(warnings) {}

  std::vector<Value> of(const std::vector<LoggedValue>& logged);
  // Tensors that have no data because there is no buffer.
  std::uint64_t without_buffer() const { return without_buffer_; }

 private:
  Value value_of(const LoggedValue& logged);
  Value tensor_of(const LoggedTensor& logged);
  bool spend(const LoggedTensor& logged);

  const std::optional<std::span<const std::byte>> buffer_;
  std::vector<std::string>& warnings_;
  std::uint64_t spent_ = 0, without_buffer_ = 0;
  bool tells_buffer_ = true, tells_size_ = true;
};

}  // namespace vizd::etdump
