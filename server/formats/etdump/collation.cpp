#include "formats/etdump/collation.h"

#include <algorithm>
#include <functional>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace vizd::etdump {
namespace {

void append(std::string& signature, std::int64_t number) {
  signature.append(reinterpret_cast<const char*>(&number), sizeof number);
}

void append(std::string& signature, const EventIdentity& of) {
  const std::string_view name = of.name.value_or(""), delegate = of.delegate_text.value_or("");
  append(signature, static_cast<std::int64_t>(name.size()));
  signature += name;
  append(signature, of.instruction);
  append(signature, of.delegate_number);
  append(signature, static_cast<std::int64_t>(delegate.size()));
  signature += delegate;
}

// An instruction's events, in the run's order.
struct Instruction {
  std::vector<Run::Stored> stored;
  bool is_repeated = false;    // it ran several times
  bool logs_after_it = false;  // its values were stored after its last profile event
};

// Whether an event of this name is around all else of its instruction.
bool is_around(const ProfileEvent& event) {
  const std::string_view name = event.of.name.value_or("");
  return name == "OPERATOR_CALL" || name == "DELEGATE_CALL" || event.of.is_delegated();
}

class Collator {
 public:
  explicit Collator(const Run& run) : run_(run) {}

  std::vector<CollatedEvent> collate() {
    // Instructions in order of first appearance, which is told by what is stored of them, and not by a hash.
    for (const Run::Stored stored : run_.stored) {
      if (stored.kind == Run::Kind::kAllocation || is_output(stored)) continue;
      const auto [place, is_new] = places_.try_emplace(instruction_key(identity(stored)), instructions_.size());
      if (is_new) instructions_.emplace_back();
      instructions_[place->second].stored.push_back(stored);
    }
    for (Instruction& instruction : instructions_) add(instruction);
    std::ranges::sort(events_, {}, &Placed::at);
    std::vector<CollatedEvent> events;
    std::unordered_map<std::string, std::uint32_t> counts;
    for (Placed& placed : events_) {
      sign(run_, placed.event);
      placed.event.occurrence = counts[placed.event.signature]++;
      append(placed.event.signature, placed.event.occurrence);
      events.push_back(std::move(placed.event));
    }
    return events;
  }

 private:
  // By where it stands among the events of its kind: those that only logged values stand after all others.
  struct Placed {
    std::uint64_t at = 0;
    CollatedEvent event;
  };
  struct Execution {
    std::vector<std::uint32_t> profile, debug;  // places
    std::unordered_set<std::string_view> names;
    bool is_over = false;  // the event around it is there
  };

  const EventIdentity& identity(Run::Stored stored) const {
    return stored.kind == Run::Kind::kProfile ? run_.profile_events[stored.place].of
                                              : run_.debug_events[stored.place].of;
  }
  bool is_output(Run::Stored stored) const {
    return stored.kind == Run::Kind::kDebug && run_.debug_events[stored.place].value.is_output;
  }
  // For a profile event.
  std::string_view name_of(Run::Stored stored) const { return run_.profile_events[stored.place].of.name.value_or(""); }

  void look_at(Instruction& instruction) const {
    std::unordered_set<std::string_view> names;
    for (const Run::Stored stored : instruction.stored) {
      if (stored.kind == Run::Kind::kProfile && !names.insert(name_of(stored)).second) {
        instruction.is_repeated = true;
        break;
      }
    }
    instruction.logs_after_it = instruction.stored.back().kind == Run::Kind::kDebug;
  }

  bool begins_anew(const Instruction& instruction, const Execution& execution, Run::Stored stored) const {
    if (!instruction.is_repeated) return false;
    if (stored.kind == Run::Kind::kDebug) return execution.is_over && !instruction.logs_after_it;
    return execution.is_over || execution.names.contains(name_of(stored));
  }

  void add(Instruction& instruction) {
    look_at(instruction);
    Execution execution;
    for (const Run::Stored stored : instruction.stored) {
      if (begins_anew(instruction, execution, stored)) {
        add(execution);
        execution = {};
      }
      if (stored.kind == Run::Kind::kProfile) {
        execution.profile.push_back(stored.place);
        execution.names.insert(name_of(stored));
        execution.is_over = execution.is_over || is_around(run_.profile_events[stored.place]);
      } else {
        execution.debug.push_back(stored.place);
      }
    }
    add(execution);
  }

  void add(const Execution& execution) {
    for (const std::uint32_t place : execution.profile)
      events_.push_back({place, {.profile = place, .debug = execution.debug, .signature = {}}});
    if (execution.profile.empty() && !execution.debug.empty())
      events_.push_back(
          {(std::uint64_t{1} << 32) + execution.debug.front(), {.debug = execution.debug, .signature = {}}});
  }

  const Run& run_;
  std::unordered_map<InstructionKey, std::size_t, InstructionHash> places_;
  std::vector<Instruction> instructions_;
  std::vector<Placed> events_;
};

}  // namespace

std::size_t InstructionHash::operator()(const InstructionKey& key) const {
  const auto& [instruction, chain, number, text] = key;
  std::size_t hash = std::hash<std::string_view>()(text);
  for (const std::int64_t part : {std::int64_t{instruction}, chain, std::int64_t{number}})
    hash = hash * 0x9E3779B97F4A7C15U + static_cast<std::size_t>(part);
  return hash;
}

InstructionKey instruction_key(const EventIdentity& of) {
  return {of.instruction, of.chain, of.delegate_number, of.delegate_text.value_or("")};
}

void sign(const Run& run, CollatedEvent& event) {
  append(event.signature, event.is_timed() ? 1 : 0);
  if (event.is_timed()) append(event.signature, run.profile_events[event.profile].of);
  append(event.signature, event.debug.empty() ? 0 : 1);
  if (!event.debug.empty()) append(event.signature, run.debug_events[event.debug.front()].of);
}

std::vector<CollatedEvent> collate(const Run& run) { return Collator(run).collate(); }

}  // namespace vizd::etdump
