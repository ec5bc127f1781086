// Tests wait for what they mean, and never for a time. The deadline is for a test that fails: a sanitizer on a busy
// machine takes a minute for what takes a second elsewhere.
#pragma once

#include <chrono>
#include <functional>

namespace vizd {

inline constexpr std::chrono::seconds kTestDeadline{120};

// Waits until the condition holds; false at the deadline.
bool wait_until(const std::function<bool()>& condition);

}  // namespace vizd
