#include "analysis/graph_replay/module_levels.h"

#include <fmt/format.h>

namespace vizd {
namespace {

// Below a layer.
constexpr std::size_t kMostModules = 3;
// What a compiler put in place of a model's modules: it tells nothing of them.
constexpr std::string_view kCompiled = "GraphModule";

}  // namespace

std::string_view ModuleLevels::kind_name(ModuleLevel::Kind kind) {
  static constexpr std::string_view kNames[] = {"layer", "piece", "module", "operator"};
  return kNames[static_cast<std::size_t>(kind)];
}

const std::vector<ModuleLevel>& ModuleLevels::of(const NamedWork& work) {
  Known& known = known_[work.said];
  if (known.is_made) return known.levels;
  known.is_made = true;
  const SaidOfWork& said = replays_.said_of(work);
  const std::string_view layer = said.layer == kNoText ? std::string_view() : replays_.text(said.layer);
  if (!layer.empty()) add(ModuleLevel::Kind::kLayer, layer, known.levels);
  if (layer.empty() && said.piece) add(ModuleLevel::Kind::kPiece, fmt::format("piece {}", *said.piece), known.levels);
  if (said.module != kNoText) add_modules(replays_.text(said.module), layer, known.levels);
  if (said.operator_name != kNoText)
    add(ModuleLevel::Kind::kOperator, replays_.text(said.operator_name), known.levels);
  else if (said.module == kNoText && said.label != kNoText)
    add(ModuleLevel::Kind::kOperator, replays_.text(said.label), known.levels);
  return known.levels;
}

void ModuleLevels::add(ModuleLevel::Kind kind, std::string_view text, std::vector<ModuleLevel>& levels) {
  const auto [found, is_new] = place_of_.try_emplace(std::string(text), static_cast<std::uint32_t>(texts_.size()));
  if (is_new) texts_.emplace_back(text);
  levels.push_back({kind, found->second});
}

// "Net_0/DecoderLayer_1/Attention_1" below DecoderLayer_1: Attention_1. "model.layers.3.mlp" below model.layers.3: mlp.
void ModuleLevels::add_modules(std::string_view module, std::string_view layer, std::vector<ModuleLevel>& levels) {
  const std::size_t at = layer.empty() ? module.npos : module.find(layer);
  std::string_view rest = at == module.npos ? module : module.substr(at + layer.size());
  const char separator = module.find('/') != module.npos ? '/' : '.';
  std::vector<std::string_view> parts;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find(separator), rest.size());
    if (end > 0 && !rest.starts_with(kCompiled)) parts.push_back(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  // Outside of layers the innermost one; there is no telling how the others lie to each other.
  if (at == module.npos && parts.size() > 1) parts.erase(parts.begin(), parts.end() - 1);
  // The whole model: it says less than the piece does.
  else if (at == module.npos && !levels.empty())
    parts.clear();
  if (parts.size() > kMostModules) parts.resize(kMostModules);
  for (const std::string_view part : parts) add(ModuleLevel::Kind::kModule, part, levels);
}

}  // namespace vizd
