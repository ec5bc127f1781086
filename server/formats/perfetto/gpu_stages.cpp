#include "formats/perfetto/gpu_stages.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "base/ascii_case.h"

namespace vizd::perfetto {
namespace {

constexpr std::pair<std::string_view, std::string_view> kStages[] = {
    {"Kernel", "kernel"},
    {"Memcpy", "gpu_memcpy"},
    {"Memset", "gpu_memset"},
    {"HostNode", "graph_host_node"},
    {"EventRecord", "graph_event_node"},
    {"Annotation", "gpu_user_annotation"},
};

// As a stage and as a Chrome trace has them.
constexpr std::pair<std::string_view, std::string_view> kArguments[] = {
    {"device id", "device"}, {"context id", "context"}, {"stream id", "stream"}};

std::optional<std::int64_t> whole_number(std::string_view text) {
  std::int64_t number = 0;
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (failed != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

}  // namespace

std::string_view category_of_stage(std::string_view stage) {
  for (const auto& [name, category] : kStages) {
    if (name == stage) return category;
  }
  const std::string text = ascii_lower(stage);
  const auto has = [&](std::string_view word) { return text.find(word) != std::string::npos; };
  if (has("memset") || has("fill buffer")) return "gpu_memset";
  if (has("memcpy") || has("copy") || has("transfer") || has("blit")) return "gpu_memcpy";
  return "kernel";
}

std::string_view stage_of_category(std::string_view category) {
  for (const auto& [name, of] : kStages) {
    if (of == category) return name;
  }
  return {};
}

std::string_view stage_argument(std::string_view name) {
  for (const auto& [stage, trace] : kArguments) {
    if (trace == name) return stage;
  }
  return name;
}

std::string_view trace_argument(std::string_view name) {
  for (const auto& [stage, trace] : kArguments) {
    if (stage == name) return trace;
  }
  return name;
}

QueueName parse_queue(std::string_view text) {
  if (text.starts_with('[')) {
    const auto end = text.find("] ");
    if (end != std::string_view::npos) {
      if (const auto number = whole_number(text.substr(1, end - 1))) return {number, text.substr(end + 2)};
    }
  }
  constexpr std::string_view kWord = "stream ";
  if (ascii_lower(text.substr(0, kWord.size())) == kWord) return {whole_number(text.substr(kWord.size())), text};
  return {std::nullopt, text};
}

}  // namespace vizd::perfetto
