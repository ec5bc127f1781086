#include "analysis/graph_replay/step_name.h"

#include <array>
#include <map>
#include <string>
#include <utility>

#include "analysis/graph_replay/name_scan.h"

namespace vizd {
namespace {

// Not zero, and told.
bool is_above_zero(const StepCount& count) { return count.value_or(0) != 0; }

StepPhase phase_of(std::int64_t context, std::int64_t generation) {
  if (context != 0 && generation != 0) return StepPhase::kMixed;
  if (context != 0) return StepPhase::kPrefill;
  return generation != 0 ? StepPhase::kDecode : StepPhase::kIdle;
}

using Counts = std::map<std::string_view, std::string_view>;  // the values of a name by their keys

StepCount count_of(const Counts& counts, const std::string& key) {
  const auto found = counts.find(key);
  if (found == counts.end()) return std::nullopt;
  NameScan scan(found->second);
  const StepCount count = scan.number();
  return scan.is_at_end() ? count : std::nullopt;
}

// (sq1sk2sqsq3sqsk4), behind the number of requests.
bool read_share(NameScan& scan, StepShare& share) {
  share.requests = scan.number();
  if (!share.requests || !scan.take("(sq")) return false;
  share.tokens = scan.number();
  if (!share.tokens || !scan.take("sk")) return false;
  share.kv = scan.number();
  if (!share.kv || !scan.take("sqsq")) return false;
  share.sqsq = scan.number();
  if (!share.sqsq || !scan.take("sqsk")) return false;
  share.sqsk = scan.number();
  return share.sqsk && scan.take(")");
}

// execute_T_context_C(…)_generation_G(…)
std::optional<StepName> parse_vllm(std::string_view name) {
  StepName step{.spelling = "vllm"};
  NameScan scan(name);
  if (!scan.take("execute_")) return std::nullopt;
  step.tokens = scan.number();
  if (!step.tokens || !scan.take("_context_") || !read_share(scan, step.context)) return std::nullopt;
  if (!scan.take("_generation_") || !read_share(scan, step.generation) || !scan.is_at_end()) return std::nullopt;
  step.requests = *step.context.requests + *step.generation.requests;
  step.phase = phase_of(*step.context.requests, *step.generation.requests);
  return step;
}

// execute_context_C(A)_generation_G(B)
std::optional<StepName> parse_short_vllm(std::string_view name) {
  StepName step{.spelling = "vllm"};
  NameScan scan(name);
  const auto read = [&scan](std::string_view word, StepShare& share) {
    if (!scan.take(word) || !(share.requests = scan.number()) || !scan.take("(")) return false;
    return (share.tokens = scan.number()) && scan.take(")");
  };
  if (!scan.take("execute_") || !read("context_", step.context) || !read("_generation_", step.generation) ||
      !scan.is_at_end())
    return std::nullopt;
  step.requests = *step.context.requests + *step.generation.requests;
  step.tokens = *step.context.tokens + *step.generation.tokens;
  step.phase = phase_of(*step.context.requests, *step.generation.requests);
  return step;
}

// execute_new_N_cached_M
std::optional<StepName> parse_old_vllm(std::string_view name) {
  StepName step{.spelling = "vllm"};
  NameScan scan(name);
  if (!scan.take("execute_new_") || !(step.context.requests = scan.number()) || !scan.take("_cached_") ||
      !(step.generation.requests = scan.number()) || !scan.is_at_end())
    return std::nullopt;
  step.requests = *step.context.requests + *step.generation.requests;
  step.phase = phase_of(*step.context.requests, *step.generation.requests);
  return step;
}

std::optional<StepPhase> sglang_phase(std::string_view mode) {
  using enum StepPhase;
  static constexpr std::pair<std::string_view, StepPhase> kModes[] = {
      {"EXTEND", kPrefill},      {"SPLIT_PREFILL", kPrefill}, {"PREBUILT", kPrefill},
      {"DLLM_EXTEND", kPrefill}, {"DECODE", kDecode},         {"MIXED", kMixed},
      {"IDLE", kIdle},           {"DUMMY_FIRST", kIdle},      {"TARGET_VERIFY", kVerify},
      {"DRAFT_EXTEND", kDraft},  {"DRAFT_EXTEND_V2", kDraft}};
  for (const auto& [word, phase] : kModes) {
    if (word == mode) return phase;
  }
  return std::nullopt;
}

StepShare sglang_share(const Counts& counts, const std::string& prefix) {
  return {count_of(counts, prefix), count_of(counts, prefix + "_sq"), count_of(counts, prefix + "_sk"),
          count_of(counts, prefix + "_sqsq"), count_of(counts, prefix + "_sqsk")};
}

// MODE and then " key=value" for each count; false where it is anything else.
bool read_sglang(std::string_view inner, std::string_view& mode, Counts& counts) {
  NameScan scan(inner);
  mode = scan.take_while([](char c) { return (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_'; });
  if (mode.empty() || mode[0] < 'A' || mode[0] > 'Z') return false;
  while (!scan.is_at_end()) {
    if (!scan.take(" ")) return false;
    const std::string_view key = scan.take_while([](char c) { return (c >= 'a' && c <= 'z') || c == '_'; });
    if (key.empty() || !scan.take("=")) return false;
    const std::string_view value = scan.take_while([](char c) { return !NameScan::is_blank(c); });
    if (value.empty()) return false;
    counts[key] = value;
  }
  return true;
}

// step[MODE bs=N toks=T …]
std::optional<StepName> parse_sglang(std::string_view name) {
  constexpr std::string_view kBegin = "step[";
  if (!name.starts_with(kBegin) || !name.ends_with(']')) return std::nullopt;
  std::string_view mode;
  Counts counts;
  if (!read_sglang(name.substr(kBegin.size(), name.size() - kBegin.size() - 1), mode, counts)) return std::nullopt;
  StepName step{.spelling = "sglang", .phase = sglang_phase(mode)};
  step.requests = count_of(counts, "bs");
  step.context = sglang_share(counts, "c");
  step.generation = sglang_share(counts, "g");
  if (step.phase == StepPhase::kDecode) {
    step.generation.requests = step.requests;
    if (!step.generation.tokens) step.generation.tokens = step.requests;
  } else if (step.phase == StepPhase::kPrefill) {
    step.context.requests = step.requests;
    if (!step.context.tokens) step.context.tokens = count_of(counts, "toks");
  }
  const bool are_told = step.context.tokens || step.generation.tokens;
  step.tokens = are_told ? StepCount(step.context.tokens.value_or(0) + step.generation.tokens.value_or(0))
                         : count_of(counts, "toks");
  return step;
}

// A value of ATOM's: a list in brackets, with how many more it has, or a word.
std::string_view take_atom_value(NameScan& scan) {
  const std::string_view rest = scan.rest();
  const std::size_t end = rest.starts_with('[') ? rest.find(']') : rest.npos;
  if (end == rest.npos) return scan.take_while([](char c) { return !NameScan::is_blank(c); });
  NameScan behind(rest.substr(end + 1));
  std::size_t length = end + 1;
  if (behind.take("...+") && behind.number()) length = rest.size() - behind.rest().size();
  scan.take(rest.substr(0, length));
  return rest.substr(0, length);
}

Counts atom_counts(std::string_view inner) {
  Counts counts;
  NameScan scan(inner);
  while (!scan.is_at_end()) {
    const std::string_view key = scan.take_while(NameScan::is_word);
    if (key.empty()) {
      scan.skip();
    } else if (scan.take("=") && !scan.is_at_end() && !NameScan::is_blank(scan.rest()[0])) {
      counts[key] = take_atom_value(scan);
    }
  }
  return counts;
}

// prefill[bs=N tok=T …], decode[bs=N/P tok=T …], eager_decode[…]
std::optional<StepName> parse_atom(std::string_view name) {
  const std::size_t open = name.find('[');
  if (open == name.npos || !name.ends_with(']') || name.find('\n') != name.npos) return std::nullopt;
  const std::string_view kind = name.substr(0, open);
  const bool is_prefill = kind == "prefill";
  if (!is_prefill && kind != "decode" && kind != "eager_decode") return std::nullopt;
  const Counts counts = atom_counts(name.substr(open + 1, name.size() - open - 2));
  StepName step{.spelling = "atom"};
  if (const auto bs = counts.find("bs"); bs != counts.end()) {
    NameScan scan(bs->second);
    const StepCount requests = scan.number();
    const StepCount padded = requests && scan.take("/") ? scan.number() : std::nullopt;
    if (scan.is_at_end() && !bs->second.ends_with('/')) step.requests = requests, step.padded = padded;
  }
  step.tokens = count_of(counts, "tok");
  step.draft_tokens = count_of(counts, "spec");
  StepShare& share = is_prefill ? step.context : step.generation;
  share = {step.requests, step.tokens, count_of(counts, "sk"), count_of(counts, "sqsq"), count_of(counts, "sqsk")};
  const StepCount prefills = count_of(counts, "p");
  step.phase = is_prefill ? StepPhase::kPrefill : is_above_zero(prefills) ? StepPhase::kMixed : StepPhase::kDecode;
  if (is_above_zero(prefills)) {
    step.context.requests = prefills;
    step.generation.requests = count_of(counts, "d");
  }
  return step;
}

// execute_diffusion_B_WxH
std::optional<StepName> parse_diffusion(std::string_view name) {
  NameScan scan(name);
  if (!scan.take("execute_diffusion_")) return std::nullopt;
  StepName step{.spelling = "diffusion", .phase = StepPhase::kDiffusion, .requests = scan.number()};
  if (!step.requests || !scan.take("_") || !scan.number() || !scan.take("x") || !scan.number() || !scan.is_at_end())
    return std::nullopt;
  return step;
}

void take_missing(StepShare& share, const StepShare& other) {
  for (auto count : {&StepShare::requests, &StepShare::tokens, &StepShare::kv, &StepShare::sqsq, &StepShare::sqsk}) {
    if (!(share.*count)) share.*count = other.*count;
  }
}

}  // namespace

std::optional<AttentionSums> StepName::attention() const {
  AttentionSums sums;
  const auto add_share = [&](const StepShare& share, double own_pairs) {
    if (share.requests == 0 || share == StepShare{}) return true;
    if (!share.tokens || !share.kv || !share.sqsk || !share.sqsq) return false;
    sums.queries += static_cast<double>(*share.tokens);
    sums.keys += static_cast<double>(*share.kv);
    sums.pairs += static_cast<double>(*share.sqsk) - own_pairs * static_cast<double>(*share.sqsq);
    return true;
  };
  // A new token looks at those of its request before it: at half of the new ones.
  if (!add_share(context, 0.5) || !add_share(generation, 0) || sums.pairs <= 0) return std::nullopt;
  return sums;
}

void StepName::add(const StepName& other) {
  if (!phase) phase = other.phase;
  for (auto count : {&StepName::requests, &StepName::padded, &StepName::tokens, &StepName::draft_tokens}) {
    if (!(this->*count)) this->*count = other.*count;
  }
  take_missing(context, other.context);
  take_missing(generation, other.generation);
}

std::optional<StepName> parse_step_name(std::string_view name) {
  using Parse = std::optional<StepName> (*)(std::string_view);
  static constexpr std::array<Parse, 6> kSpellings = {parse_vllm,   parse_short_vllm, parse_old_vllm,
                                                      parse_sglang, parse_atom,       parse_diffusion};
  for (const Parse parse : kSpellings) {
    if (auto step = parse(name)) return step;
  }
  return std::nullopt;
}

}  // namespace vizd
