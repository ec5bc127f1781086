#include "formats/etdump/block_values.h"

#include <utility>

namespace vizd::etdump {

std::vector<Value> BlockValues::of(const std::vector<LoggedValue>& logged) {
  std::vector<Value> values;
  for (const LoggedValue& value : logged) values.push_back(value_of(value));
  return values;
}

Value BlockValues::value_of(const LoggedValue& logged) {
  using Kind = LoggedValue::Kind;
  switch (logged.kind) {
    case Kind::kInteger:
      return {logged.integer};
    case Kind::kBoolean:
      return {logged.boolean};
    case Kind::kFloat:
    case Kind::kDouble:
      return {logged.real};
    case Kind::kTensor:
      return tensor_of(logged.tensors.front());
    case Kind::kTensorList: {
      std::vector<Value> list;
      for (const LoggedTensor& tensor : logged.tensors) list.push_back(tensor_of(tensor));
      return {std::move(list)};
    }
    case Kind::kNone:
    case Kind::kText:
      break;
  }
  return {};
}

Value BlockValues::tensor_of(const LoggedTensor& logged) {
  if (logged.scalar_type < 0 || logged.scalar_type >= kScalarTypeCount || !element_count_of(logged.sizes)) return {};
  const auto type = static_cast<ScalarType>(logged.scalar_type);
  if (buffer_ && spend(logged)) {
    const bool begins_inside = logged.offset >= 0 && static_cast<std::uint64_t>(logged.offset) <= buffer_->size();
    const auto offset = begins_inside ? static_cast<std::size_t>(logged.offset) : buffer_->size();
    if (auto tensor = make_tensor(type, logged.sizes, buffer_->subspan(offset)); tensor && begins_inside)
      return {*std::move(tensor)};
    if (std::exchange(tells_buffer_, false))
      warnings_.emplace_back("logged tensors are outside of the debug buffer: was it cut, or is it from another run?");
  }
  if (!buffer_) ++without_buffer_;
  return {Tensor{.type = type, .shape = logged.sizes, .bytes = {}, .no_data = true}};
}

// Tensors may lie on one another, so that a small buffer could stand for a huge one. Whether there was enough left.
bool BlockValues::spend(const LoggedTensor& logged) {
  constexpr std::uint64_t kMostPerByte = 64, kFreeBytes = std::uint64_t{1} << 20, kMostElementBytes = 16;
  const std::uint64_t most = kMostPerByte * (buffer_->size() + kFreeBytes);
  const auto elements = element_count_of(logged.sizes);
  if (elements) spent_ += *elements * kMostElementBytes;
  if (spent_ <= most) return true;
  if (std::exchange(tells_size_, false))
    warnings_.emplace_back(
        "the logged tensors together are larger than the debug buffer can be: the last ones are left out");
  return false;
}

}  // namespace vizd::etdump
