// FailingAllocation: while it lives, one allocation of the program fails, of whichever thread. Where
// failing_allocation.cpp is linked, operator new is malloc but for that.
#pragma once

#include <cstdint>

namespace vizd {

class FailingAllocation {
 public:
  // So many succeed before it.
  explicit FailingAllocation(std::int64_t place);
  FailingAllocation(const FailingAllocation&) = delete;
  FailingAllocation& operator=(const FailingAllocation&) = delete;
  ~FailingAllocation();
  // Whether so many allocations were made.
  bool happened() const;
};

// HeldMemory: how much memory the program has held at once since this was made, beyond what it held before.
class HeldMemory {
 public:
  HeldMemory();
  HeldMemory(const HeldMemory&) = delete;
  HeldMemory& operator=(const HeldMemory&) = delete;
  ~HeldMemory();
  std::int64_t most_bytes() const;
};

}  // namespace vizd
