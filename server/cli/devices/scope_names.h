// ScopeNames: the ranks, devices and kernels that captures have, to check those that a scope names. A misspelled name
// is an error, not an empty answer. Collects nothing that the scope does not name. Refers to the scope. One thread.
#pragma once

#include <set>
#include <string>

#include "analysis/devices/work_scope.h"

namespace vizd {

class ScopeNames {
 public:
  explicit ScopeNames(const WorkScope& scope) : scope_(scope) {}

  // Several captures are checked together: a name has to be in one of them.
  void add(const Capture& capture, const DeviceWork& work);
  // Prints which name of the scope no capture has, with those that there are; whether all are there. A capture without
  // device work has no names to check: its answer says what was not recorded.
  bool check(std::string_view command) const;

 private:
  const WorkScope& scope_;
  bool has_work_ = false;
  std::set<std::string> ranks_, devices_, kernels_;
};

}  // namespace vizd
