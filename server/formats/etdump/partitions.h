// Partitions: which nodes of a method's edge program went to a delegate, call by call. Plain data once made.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "formats/etdump/etrecord.h"

namespace vizd::etdump {

class Partitions {
 public:
  struct Partition {
    std::int64_t instruction = 0;  // that calls the delegate
    std::string backend;
  };

  explicit Partitions(const Method& method);

  // In the order of their instructions; the first is number 1.
  const std::vector<Partition>& all() const { return all_; }
  // The number of that which a node of this handle went to; 0: none.
  std::uint32_t of(const std::optional<std::int64_t>& handle) const;

 private:
  std::map<std::int64_t, std::uint32_t> by_handle_;
  std::vector<Partition> all_;
};

}  // namespace vizd::etdump
