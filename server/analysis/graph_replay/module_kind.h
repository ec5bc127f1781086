// ModuleKind: what a part of a language model does, as far as the names of its modules, operators or kernels tell.
// Pure; a ModuleKinds belongs to one thread.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

#include "analysis/graph_replay/graph_replays.h"

namespace vizd {

enum class ModuleKind : std::uint8_t { kAttention, kMlp, kNorm, kRouting, kOther };
inline constexpr std::string_view kModuleKindNames[] = {"attention", "mlp", "norm", "routing", "other"};
constexpr std::string_view module_kind_name(ModuleKind kind) {
  return kModuleKindNames[static_cast<std::size_t>(kind)];
}

// The kind of one name: a module's path, whose innermost part with a known word counts, an operator's name or a
// kernel's. None if no word of it is known.
std::optional<ModuleKind> module_kind_of(std::string_view name);

// The kinds of pieces of work: by its module, else its operator, else its label, else its own name. Each text is looked
// at once.
class ModuleKinds {
 public:
  explicit ModuleKinds(const GraphReplays& replays) : replays_(replays) {}
  // i: place in GraphReplays::work
  ModuleKind of(const SaidOfWork& said, std::uint32_t i);

 private:
  const GraphReplays& replays_;
  std::map<std::string_view, std::optional<ModuleKind>> known_;
};

}  // namespace vizd
