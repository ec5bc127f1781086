#include "analysis/graph_replay/module_kind.h"

#include <algorithm>
#include <string>

namespace vizd {
namespace {

struct Word {
  std::string_view text;
  ModuleKind kind;
};

// The first that a name has decides: a router's own words come before the experts' that it chooses, and the norm of an
// attention before the attention.
constexpr std::array kWords{
    Word{"router", ModuleKind::kRouting},
    Word{"routing", ModuleKind::kRouting},
    Word{"topk", ModuleKind::kRouting},
    Word{"top_k", ModuleKind::kRouting},
    Word{"moe_align", ModuleKind::kRouting},
    Word{"moe_gate", ModuleKind::kRouting},
    Word{"norm", ModuleKind::kNorm},
    Word{"attn", ModuleKind::kAttention},
    Word{"attention", ModuleKind::kAttention},
    Word{"rotary", ModuleKind::kAttention},
    Word{"rope", ModuleKind::kAttention},
    Word{"kv_cache", ModuleKind::kAttention},
    Word{"kvcache", ModuleKind::kAttention},
    Word{"cache_kernel", ModuleKind::kAttention},
    Word{"qkv", ModuleKind::kAttention},
    Word{"fmha", ModuleKind::kAttention},
    Word{"mla_", ModuleKind::kAttention},
    Word{"mlp", ModuleKind::kMlp},
    Word{"feed_forward", ModuleKind::kMlp},
    Word{"feedforward", ModuleKind::kMlp},
    Word{"ffn", ModuleKind::kMlp},
    Word{"expert", ModuleKind::kMlp},
    Word{"moe", ModuleKind::kMlp},
    Word{"gate_up", ModuleKind::kMlp},
    Word{"gate_proj", ModuleKind::kMlp},
    Word{"up_proj", ModuleKind::kMlp},
    Word{"down_proj", ModuleKind::kMlp},
    Word{"silu", ModuleKind::kMlp},
    Word{"swiglu", ModuleKind::kMlp},
    Word{"act_and_mul", ModuleKind::kMlp},
};

std::optional<ModuleKind> kind_of_part(std::string_view part) {
  std::string small(part);
  std::ranges::transform(small, small.begin(),
                         [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  for (const Word& word : kWords) {
    if (small.find(word.text) != small.npos) return word.kind;
  }
  return std::nullopt;
}

}  // namespace

std::optional<ModuleKind> module_kind_of(std::string_view name) {
  while (!name.empty()) {
    const std::size_t cut = name.find_last_of("/.");
    const std::string_view part = cut == name.npos ? name : name.substr(cut + 1);
    if (const auto kind = kind_of_part(part)) return kind;
    name = cut == name.npos ? std::string_view() : name.substr(0, cut);
  }
  return std::nullopt;
}

ModuleKind ModuleKinds::of(const SaidOfWork& said, std::uint32_t i) {
  const auto kind_of = [this](std::string_view name) {
    const auto [found, is_new] = known_.try_emplace(name);
    if (is_new) found->second = module_kind_of(name);
    return found->second;
  };
  for (const StringId text : {said.module, said.operator_name, said.label}) {
    if (text == kNoText) continue;
    if (const auto kind = kind_of(replays_.text(text))) return *kind;
  }
  return kind_of(replays_.name_of(i)).value_or(ModuleKind::kOther);
}

}  // namespace vizd
