// How PyTorch's profiler names the events that are modules, and lines of Python, at work. Pure functions.
#pragma once

#include <cstdint>
#include <string_view>

namespace vizd {

inline constexpr std::string_view kModulePrefix = "nn.Module: ";

constexpr bool is_module_name(std::string_view event_name) { return event_name.starts_with(kModulePrefix); }
// Without the word that says that it is a module.
constexpr std::string_view module_name(std::string_view event_name) {
  return is_module_name(event_name) ? event_name.substr(kModulePrefix.size()) : event_name;
}

// Events of this category are Python at work: a module, a function with its line, or a built-in one, which has none.
inline constexpr std::string_view kPythonCategory = "python_function";

// Lines inside of PyTorch itself say nothing of the program that calls it.
enum class PythonLine : std::uint8_t { kNone, kOwn, kLibrary };
constexpr PythonLine python_line(std::string_view event_name) {
  if (event_name.find("): ") == std::string_view::npos) return PythonLine::kNone;
  const bool is_library = event_name.starts_with("torch/") || event_name.find("/torch/") != std::string_view::npos;
  return is_library ? PythonLine::kLibrary : PythonLine::kOwn;
}

}  // namespace vizd
