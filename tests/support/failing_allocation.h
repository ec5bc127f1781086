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

}  // namespace vizd
