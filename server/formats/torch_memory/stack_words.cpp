#include "formats/torch_memory/stack_words.h"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>

namespace vizd::torch_memory {
namespace {

// Where code lies that is not the user's own.
constexpr std::string_view kLibraries[] = {"/site-packages/", "/dist-packages/", "/lib/python3", "/torch/",
                                           "/torchinductor_"};

// With / between folders.
std::string path_of(std::string_view file) {
  std::string path(file);
  std::ranges::replace(path, '\\', '/');
  return path;
}

bool holds(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }
template <std::size_t N>
bool holds_any(std::string_view text, const std::string_view (&parts)[N]) {
  return std::ranges::any_of(parts, [&](std::string_view part) { return holds(text, part); });
}

bool is_users_file(std::string_view path) { return path.ends_with(".py") && !holds_any(path, kLibraries); }

std::string line_text(std::string_view file, std::uint32_t line, std::string_view function) {
  return fmt::format("{}:{}:{}", file, line, function);
}

// NAME of "at::_ops::NAME::call(" and "at::_ops::NAME::redispatch("; "" of anything else.
std::string_view operator_of(std::string_view function) {
  constexpr std::string_view kBegin = "at::_ops::";
  if (!function.starts_with(kBegin)) return {};
  function.remove_prefix(kBegin.size());
  const auto is_word = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || (c & 0x80) != 0;
  };
  const auto end = std::ranges::find_if_not(function, is_word);
  const auto length = static_cast<std::size_t>(end - function.begin());
  const std::string_view rest = function.substr(length);
  return rest.starts_with("::call(") || rest.starts_with("::redispatch(") ? function.substr(0, length)
                                                                          : std::string_view();
}

}  // namespace

std::string_view phase_name(Phase phase) {
  constexpr std::string_view kNames[] = {"", "forward", "backward", "optimizer", "other"};
  return kNames[static_cast<std::size_t>(phase)];
}

StackWords::StackWords(const Snapshot& snapshot) : snapshot_(snapshot) {
  for (const Frame& frame : snapshot.frames) {
    traits_.push_back(traits_of(frame));
    operator_names_.push_back(operator_of(snapshot.strings.get(frame.name)));
  }
  for (std::uint32_t stack = 0; stack < snapshot.stacks.size(); ++stack) words_.push_back(words_of(stack));
  for (std::uint32_t forward = 0; forward < snapshot.forward_stacks.size(); ++forward) {
    std::string& line = forward_frames_.emplace_back();
    for (const FormattedFrame& frame : forward_frames(forward)) {
      if (is_users_file(path_of(frame.file))) line = line_text(frame.file, frame.line, frame.function);
    }
  }
}

std::vector<FormattedFrame> StackWords::forward_frames(std::uint32_t forward) const {
  std::vector<std::string_view> lines;
  for (const std::uint32_t line : snapshot_.forward_stacks.get(forward))
    lines.push_back(snapshot_.strings.get(to_id<StringId>(line)));
  return parse_formatted_stack(lines);
}

std::optional<std::string> StackWords::forward_frame(std::uint32_t forward) const {
  const std::string& line = forward_frames_[forward];
  return line.empty() ? std::nullopt : std::optional(line);
}

std::uint8_t StackWords::traits_of(const Frame& frame) const {
  const std::string_view name = snapshot_.strings.get(frame.name), file = snapshot_.strings.get(frame.file);
  const std::string path = path_of(file);
  const bool is_python = file.ends_with(".py") || file.starts_with("<");
  std::uint8_t traits = 0;
  const auto mark = [&](bool holds, Trait trait) {
    if (holds) traits = static_cast<std::uint8_t>(traits | trait);
  };
  mark(is_python, kPython);
  mark(is_users_file(path), kUser);
  mark(holds(path, "/torch/optim/"), kOptimizerFile);
  mark(holds(name, "torch::autograd::Engine"), kEngine);
  mark(is_python && name == "backward", kBackwardName);
  mark(is_python && name == "forward", kForwardName);
  return traits;
}

StackWords::Words StackWords::words_of(std::uint32_t stack) const {
  Words words;
  std::uint8_t all = 0;
  bool is_above_python = true;
  for (const std::uint32_t frame : snapshot_.stacks.get(stack)) {
    const std::uint8_t traits = traits_[frame];
    all |= traits;
    if (words.user_frame == kNoId && (traits & kUser) != 0) words.user_frame = frame;
    is_above_python = is_above_python && (traits & kPython) == 0;
    if (is_above_python && !operator_names_[frame].empty()) words.operator_name = operator_names_[frame];
  }
  if (snapshot_.stacks.get(stack).empty()) return words;
  words.phase = (all & kOptimizerFile) != 0              ? Phase::kOptimizer
                : (all & (kEngine | kBackwardName)) != 0 ? Phase::kBackward
                : (all & kForwardName) != 0              ? Phase::kForward
                                                         : Phase::kOther;
  return words;
}

std::string StackWords::frame_text(std::uint32_t frame) const {
  const Frame& of = snapshot_.frames[frame];
  return line_text(snapshot_.strings.get(of.file), of.line, snapshot_.strings.get(of.name));
}

std::optional<std::string> StackWords::user_frame(std::uint32_t stack) const {
  const std::uint32_t frame = of(stack).user_frame;
  return frame == kNoId ? std::nullopt : std::optional(frame_text(frame));
}

std::optional<std::string> StackWords::user_file(std::uint32_t stack) const {
  const std::uint32_t frame = of(stack).user_frame;
  if (frame == kNoId) return std::nullopt;
  return std::string(snapshot_.strings.get(snapshot_.frames[frame].file));
}

}  // namespace vizd::torch_memory
