#include "hardware/thread_trace/execution_links.h"

#include <algorithm>
#include <charconv>

namespace vizd::thread_trace {

std::optional<std::size_t> find_pipe(std::string_view name) {
  const auto found = std::ranges::find(kPipes, name);
  return found == std::end(kPipes) ? std::nullopt : std::optional<std::size_t>(found - std::begin(kPipes));
}

std::optional<std::size_t> pipe_of(std::string_view operation) {
  constexpr std::pair<std::string_view, std::string_view> kOperations[] = {
      {"WMMA", "VALU"},     {"VALU", "VALU"},    {"VALU1", "VALU"}, {"VALUT", "VALU"}, {"VALUB", "VALU"},
      {"VALUINST", "VALU"}, {"VINTERP", "VALU"}, {"SGMEM", "VMEM"}, {"FLAT", "VMEM"},  {"VMEM", "VMEM"},
      {"LDS", "LDS"},       {"SALU", "SALU"},    {"SMEM", "SALU"}};
  if (operation.starts_with(kOfOthers)) operation.remove_prefix(kOfOthers.size());
  operation = operation.substr(0, operation.find('_'));
  for (const auto& [kind, pipe] : kOperations) {
    if (kind == operation) return find_pipe(pipe);
  }
  return std::nullopt;
}

std::int64_t cycles_of(std::string_view operation) {
  const std::size_t at = operation.rfind('_');
  if (at == std::string_view::npos || at + 1 == operation.size()) return 1;
  std::int64_t cycles = 0;
  const auto [end, problem] = std::from_chars(operation.data() + at + 1, operation.data() + operation.size(), cycles);
  return problem == std::errc() && end == operation.data() + operation.size() ? cycles : 1;
}

std::string_view matrix_operation(const Step& step, std::string_view operation) {
  const std::string_view instruction = step.line == nullptr ? "" : step.line->instruction.operation();
  if (step.packet.kind() != PacketKind::kValu || !instruction.starts_with("V_WMMA")) return operation;
  return instruction.find("IU4") != std::string_view::npos ? "WMMA_VALU_16" : "WMMA_VALU_32";
}

}  // namespace vizd::thread_trace
