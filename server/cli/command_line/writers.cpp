#include "cli/command_line/writers.h"

#include <fmt/core.h>

namespace vizd {

std::vector<const Format*> writable_formats(bool of_part) {
  std::vector<const Format*> writable;
  for (const Format* format : formats()) {
    if (format->writer != nullptr && (!of_part || format->writer->takes_part)) writable.push_back(format);
  }
  return writable;
}

std::string describe_formats(const std::vector<const Format*>& formats) {
  std::string text;
  for (const Format* format : formats)
    text += fmt::format("{}{}: {}", text.empty() ? "" : "; ", format->name, format->writer->about);
  return text;
}

std::vector<std::string> names_of(const std::vector<const Format*>& formats) {
  std::vector<std::string> names;
  for (const Format* format : formats) names.emplace_back(format->name);
  return names;
}

const Format* find_writable(std::string_view name) {
  for (const Format* format : formats()) {
    if (format->name == name && format->writer != nullptr) return format;
  }
  return nullptr;
}

const Writer* find_writer(std::string_view name) {
  const Format* format = find_writable(name);
  return format == nullptr ? nullptr : format->writer;
}

}  // namespace vizd
