// How PyTorch's profiler names the events that are modules at work. Pure functions.
#pragma once

#include <string_view>

namespace vizd {

inline constexpr std::string_view kModulePrefix = "nn.Module: ";

constexpr bool is_module_name(std::string_view event_name) { return event_name.starts_with(kModulePrefix); }
// Without the word that says that it is a module.
constexpr std::string_view module_name(std::string_view event_name) {
  return is_module_name(event_name) ? event_name.substr(kModulePrefix.size()) : event_name;
}

}  // namespace vizd
