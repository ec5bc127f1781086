#include "reference/inspector/inspector_blocks.h"

#include <fmt/core.h>

#include <limits>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "formats/etdump/collation.h"
#include "formats/etdump/method_maps.h"

namespace vizd::inspector {
namespace {

// As the Inspector words it.
const Error kUnknownEvent{ErrorKind::kBadInput,
                          "the Inspector has no answer: an allocation event ends it with \"ValueError: Unable to find "
                          "populated event\"; leave out --reference-grouping",
                          ""};

// The Inspector does not see that 2^64 - 1 and -1 are the same chain, nor that no text and an empty one are, nor that a
// -1 that stands in the file and no instruction are.
InstructionKey key_of(const EventIdentity& of) {
  InstructionKey key = instruction_key(of);
  if (of.has_wide_chain) std::get<1>(key) ^= std::numeric_limits<std::int64_t>::min();
  if (of.is_none_written) std::get<0>(key) = std::numeric_limits<std::int32_t>::min();
  if (of.delegate_text == "") std::get<3>(key) = std::string_view("\0", 1);
  return key;
}

// All debug events of an instruction belong to each of its profile events, and of equal ones the last stays, in the
// place of the first.
std::vector<CollatedEvent> collate(const etdump::Run& run) {
  struct Instruction {
    std::vector<std::uint32_t> profile, debug;
  };
  std::unordered_map<InstructionKey, std::size_t, InstructionHash> places;
  std::vector<Instruction> instructions;
  const auto instruction_of = [&](const EventIdentity& of) -> Instruction& {
    const auto [place, is_new] = places.try_emplace(key_of(of), instructions.size());
    if (is_new) instructions.emplace_back();
    return instructions[place->second];
  };
  for (const etdump::Run::Stored stored : run.stored) {
    if (stored.kind == etdump::Run::Kind::kProfile) {
      instruction_of(run.profile_events[stored.place].of).profile.push_back(stored.place);
    } else if (stored.kind == etdump::Run::Kind::kDebug) {
      const DebugEvent& event = run.debug_events[stored.place];
      Instruction& instruction = instruction_of(event.of);
      if (!event.value.is_output) instruction.debug.push_back(stored.place);
    }
  }
  std::vector<CollatedEvent> events;
  std::unordered_map<std::string, std::size_t> by_signature;
  const auto add = [&](CollatedEvent event) {
    sign(run, event);
    const EventIdentity& of =
        event.is_timed() ? run.profile_events[event.profile].of : run.debug_events[event.debug.front()].of;
    event.signature += of.is_none_written ? '1' : '0';
    const auto [place, is_new] = by_signature.try_emplace(event.signature, events.size());
    if (is_new) {
      events.push_back(std::move(event));
    } else {
      events[place->second] = std::move(event);
    }
  };
  for (const Instruction& instruction : instructions) {
    for (const std::uint32_t profile : instruction.profile)
      add({.profile = profile, .debug = instruction.debug, .signature = {}});
    if (instruction.profile.empty() && !instruction.debug.empty()) add({.debug = instruction.debug, .signature = {}});
  }
  return events;
}

// Names that the Inspector takes for the framework's own.
bool is_reserved(std::string_view name) {
  return name == "Method::init" || name == "Program::load_method" || name == "Method::execute";
}

// By whichever key is a part of its id.
void resolve_event(MethodMaps& maps, BlockEvent& event) {
  const auto* handles = maps.handles(event);
  const DelegateCall* call = maps.delegate(event);
  // An instruction that the handle map does not have is not looked up in the delegate map either.
  if (handles == nullptr) return;
  if (!event.is_delegated) {
    maps.give_handles(*handles, event);
    if (event.name == "DELEGATE_CALL" && call != nullptr) event.backend = call->backend;
    return;
  }
  if (call == nullptr) {
    maps.give_handles(*handles, event);
    return;
  }
  event.backend = call->backend;
  const std::string id = event.delegate_id();
  for (const auto& [key, own] : call->handles_by_id) {
    if (id.find(key) == std::string::npos) continue;
    event.debug_handles.reset();
    if (!own.empty()) maps.give_handles(own, event);
  }
}

// It takes the difference of scaled times for a delegate's event, and where the clock went round it is a tick short.
Result<double> duration_of(const BlockEvent& event, std::size_t iteration, const Settings& settings) {
  constexpr double kMostOf32Bits = 4294967295.0;
  const std::uint64_t from = event.start(iteration), to = event.end(iteration);
  double start = static_cast<double>(from), end = static_cast<double>(to), scale = settings.factor();
  if (event.is_delegated) {
    const double ticks = settings.delegate_factor(event);
    start /= ticks;
    end /= ticks;
    scale = 1;
  } else if (from <= to) {
    return static_cast<double>(to - from) / scale;
  }
  if (start <= end) return (end - start) / scale;
  if (start > kMostOf32Bits || end > kMostOf32Bits)
    return Error{ErrorKind::kBadInput,
                 fmt::format("the Inspector has no answer: {} ends before it starts, and its times are larger than 32 "
                             "bits; leave out --reference-grouping",
                             event.name),
                 ""};
  return (kMostOf32Bits - start + end) / scale;
}

const std::vector<Value>* reference_outputs_of(const Block& block) {
  if (block.method == nullptr || block.method->reference_outputs.empty()) return nullptr;
  const auto& cases = block.method->reference_outputs;
  // Python's index -1 is the last.
  if (block.bundled_input == -1) return &cases.back();
  const auto place = static_cast<std::size_t>(block.bundled_input);
  return place < cases.size() ? &cases[place] : nullptr;
}

}  // namespace

Result<void> resolve_as_inspector(const EtRecord& record, Block& block) {
  block.method = record.method("forward");
  if (block.method == nullptr)
    return Error{ErrorKind::kBadInput,
                 "the Inspector has no answer: the ETRecord has no method \"forward\"; leave out --reference-grouping",
                 ""};
  MethodMaps maps(*block.method);
  for (BlockEvent& event : block.events) {
    resolve_event(maps, event);
    if (!is_reserved(event.name)) maps.add_nodes(event);
  }
  return {};
}

Result<DumpBlocks> inspector_blocks(const Sources& sources, const Settings& settings) {
  Settings known = settings;
  known.iteration = known.warm_up_iterations = 0;
  const BlockRules rules{.grouping = {.collate = collate,
                                      .is_named_by_values = true,
                                      .tells_written_none = true,
                                      .allocation_error = kUnknownEvent},
                         .resolve = resolve_as_inspector,
                         .duration = duration_of};
  auto read = read_blocks(sources, known, rules);
  if (!read) return read;
  read->settings = settings;
  for (Block& block : read->blocks) block.reference_outputs = reference_outputs_of(block);
  return read;
}

}  // namespace vizd::inspector
