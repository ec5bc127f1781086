// The words of AMD's runtimes for what a device did and for marks of the program, which rpd and rocpd share. Pure.
#pragma once

#include <initializer_list>
#include <string_view>

#include "model/event_columns.h"

namespace vizd::sqlite_profiles {

inline bool begins_with_one_of(std::string_view text, std::initializer_list<std::string_view> words) {
  for (const std::string_view word : words) {
    if (text.starts_with(word)) return true;
  }
  return false;
}

// The role of an operation of that type: barriers and marks keep no device busy.
inline EventRole role_of_operation(std::string_view type) {
  if (type == "Marker" || type == "Barrier") return EventRole::kNone;
  if (begins_with_one_of(type, {"Copy", "Memcpy", "MEMORY_COPY"})) return EventRole::kMemcpy;
  return begins_with_one_of(type, {"Fill", "Memset"}) ? EventRole::kMemset : EventRole::kKernel;
}

// As PyTorch's traces call such work.
inline std::string_view category_of_work(EventRole role) {
  if (role == EventRole::kMemcpy) return "gpu_memcpy";
  return role == EventRole::kMemset ? "gpu_memset" : role == EventRole::kKernel ? "kernel" : "barrier";
}

}  // namespace vizd::sqlite_profiles
