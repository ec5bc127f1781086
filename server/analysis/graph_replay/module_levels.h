// ModuleLevels: what a named piece of work is of, from the outside in: its layer or piece of a compiled model, the
// modules below that, its operator. Refers to the replays. One thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "analysis/graph_replay/graph_replays.h"

namespace vizd {

struct ModuleLevel {
  enum class Kind : std::uint8_t { kLayer, kPiece, kModule, kOperator };
  Kind kind = Kind::kModule;
  std::uint32_t text = 0;  // place among the texts
  bool operator==(const ModuleLevel&) const = default;
};

class ModuleLevels {
 public:
  explicit ModuleLevels(const GraphReplays& replays) : replays_(replays), known_(replays.said.size()) {}

  // Empty where nothing is said of it.
  const std::vector<ModuleLevel>& of(const NamedWork& work);
  std::string_view text(std::uint32_t text) const { return texts_[text]; }
  static std::string_view kind_name(ModuleLevel::Kind kind);

 private:
  struct Known {
    bool is_made = false;
    std::vector<ModuleLevel> levels = {};
  };

  void add(ModuleLevel::Kind kind, std::string_view text, std::vector<ModuleLevel>& levels);
  void add_modules(std::string_view module, std::string_view layer, std::vector<ModuleLevel>& levels);

  const GraphReplays& replays_;
  std::vector<Known> known_;  // by GraphReplays::said
  std::vector<std::string> texts_;
  std::unordered_map<std::string, std::uint32_t> place_of_;
};

}  // namespace vizd
