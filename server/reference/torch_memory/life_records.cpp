// Answers by allocation.
#include "reference/torch_memory/records.h"

namespace vizd::torch_memory {
namespace {

Value entry_or_nothing(std::int64_t entry) { return entry == kNever ? Value() : Value(entry); }

Record life_record(const MemoryFile& file, const Replay& replay, const Life& life) {
  const StackWords& words = file.words();
  const std::int64_t freed = life.was_asked ? kBeforeFirst : life.freed;
  const EntryWords& said = file.snapshot().words[life.words];
  const StackWords::Words& of = words.of(life.stack);
  return {{"device", replay.device()},
          {"born_event", life.is_born() ? Value(life.born) : Value()},
          {"address", life.address},
          {"requested_bytes", life.requested_bytes},
          {"block_bytes", life.block_bytes},
          {"stream", file.stream(life.stream)},
          {"pool", file.pool(life.pool)},
          {"born_ns", MemoryFile::time(replay.time_ns(life.born))},
          {"freed_event", entry_or_nothing(freed)},
          {"freed_ns", MemoryFile::time(replay.time_ns(freed))},
          {"completed_event", entry_or_nothing(life.completed)},
          {"completed_ns", MemoryFile::time(replay.time_ns(life.completed))},
          {"end", life.is_lost ? Value("lost") : Value()},
          {"frame", text_or_nothing(words.user_frame(life.stack))},
          {"operator", of.operator_name.empty() ? Value() : Value(std::string(of.operator_name))},
          {"phase", of.phase == Phase::kNone ? Value() : Value(std::string(phase_name(of.phase)))},
          {"stack_depth", static_cast<std::uint64_t>(file.snapshot().stacks.get(life.stack).size())},
          {"compile_context", file.text(said.compile_context)},
          {"user_metadata", file.text(said.user_metadata)},
          {"forward_frame", text_or_nothing(words.forward_frame(said.forward))}};
}

}  // namespace

void tell_allocations(const MemoryFile& file, const TakeRecord& take) {
  for (const auto& replay : file.replays()) {
    for (const Life& life : replay->lives()) take(life_record(file, *replay, life));
  }
}

}  // namespace vizd::torch_memory
