// Tests wait for what they mean, as long as the deadline, and never for a time.
#pragma once

#include <chrono>
#include <functional>

namespace vizd {

inline constexpr std::chrono::seconds kTestDeadline{20};

// Waits until the condition holds; false at the deadline.
bool wait_until(const std::function<bool()>& condition);

}  // namespace vizd
