// Reads the body of /get_profile piece by piece, as tinygrad's own page does.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "support/catch.h"

namespace vizd {

class ReferenceBody {
 public:
  explicit ReferenceBody(std::string_view body) : body_(body) {}

  template <typename T>
  T get() {
    REQUIRE(at_ + sizeof(T) <= body_.size());
    T value;
    std::memcpy(&value, body_.data() + at_, sizeof(T));
    at_ += sizeof(T);
    return value;
  }
  std::string text(std::size_t size) {
    REQUIRE(at_ + size <= body_.size());
    at_ += size;
    return std::string(body_.substr(at_ - size, size));
  }
  std::string name() { return text(get<std::uint8_t>()); }
  bool at_end() const { return at_ == body_.size(); }

 private:
  std::string_view body_;
  std::size_t at_ = 0;
};

}  // namespace vizd
