#include "hardware/thread_trace/instruction_spans.h"

#include <algorithm>
#include <array>

#include "hardware/thread_trace/execution_links.h"
#include "hardware/thread_trace/line_traits.h"

namespace vizd::thread_trace {
namespace {

// Further no clock of a trace that is whole goes; a damaged one may turn it round.
constexpr std::int64_t kMostCycle = std::int64_t{1} << 60;

class SpanWalk {
 public:
  SpanWalk(amd::Family family, const amd::CodeListing* listing, SpanSink& sink)
      : listing_(listing),
        sink_(sink),
        traits_(listing == nullptr ? std::vector<LineTraits>() : traits_of(family, *listing)) {}

  bool take(const Step& step) {
    const Packet& packet = step.packet;
    if (packet.at_cycle < -kMostCycle || packet.at_cycle > kMostCycle) return !sink_.is_full();
    last_cycle_ = std::max(last_cycle_, packet.at_cycle);
    const auto slot = static_cast<std::uint32_t>(step.wave.value_or(static_cast<std::uint32_t>(packet.value("wave"))));
    switch (packet.kind()) {
      case PacketKind::kWaveStart:
        close(at(0, slot), packet.at_cycle, false);
        break;
      case PacketKind::kWaveEnd:
        end_wave(step, at(0, slot));
        break;
      case PacketKind::kInst: {
        const auto operation = operation_name(packet.layout, static_cast<std::uint32_t>(packet.value("op")));
        std::optional<std::uint64_t> made;
        if (!operation.starts_with(kOfOthers)) made = dispatch(step, 0, slot, operation);
        links_.queue(operation, step, made);
        break;
      }
      case PacketKind::kValu:
        links_.queue(packet.shape->name, step, dispatch(step, 0, slot, packet.shape->name));
        break;
      case PacketKind::kImmediate:
      case PacketKind::kImmediateMask:
        dispatch(step, 0, slot, "IMMEDIATE");
        break;
      case PacketKind::kAluExec:
      case PacketKind::kMemoryExec:
        links_.execute(packet, [&](const auto& execution) {
          unlinked_ += !execution.dispatch;
          sink_.execute({.unit = execution.unit,
                         .source = execution.source,
                         .start_cycle = execution.start_cycle,
                         .end_cycle = execution.end_cycle,
                         .instruction = execution.dispatch.value_or(std::nullopt)});
        });
        break;
      default:
        break;
    }
    return !sink_.is_full();
  }

  // CDNA says of every SIMD what it dispatched, and not for which instruction.
  bool take_cdna(const Packet& packet) {
    if (packet.at_cycle < -kMostCycle || packet.at_cycle > kMostCycle) return !sink_.is_full();
    last_cycle_ = std::max(last_cycle_, packet.at_cycle);
    const auto simd = static_cast<std::uint32_t>(packet.value("simd")) % kSimds;
    const auto slot = static_cast<std::uint32_t>(packet.value("wave"));
    if (packet.kind() == PacketKind::kCdnaInst) {
      const auto operation = operation_name(packet.layout, static_cast<std::uint32_t>(packet.value("op")));
      dispatch(Step{.packet = packet}, simd, slot, operation);
    } else if (packet.kind() == PacketKind::kWaveEnd && packet.compute_unit() == 0) {
      close(at(simd, slot), packet.at_cycle, true);
    }
    return !sink_.is_full();
  }

  std::uint64_t finish() {
    for (auto& simd : running_) {
      for (Running& wave : simd) close(wave, last_cycle_, false);
    }
    return unlinked_;
  }

 private:
  static constexpr std::uint32_t kSimds = 4, kSlots = 32;

  // What a slot runs.
  struct Running {
    std::optional<std::uint64_t> open = {};  // the instruction whose end is not known yet
    std::uint32_t last = kNoPlace;           // its place
    std::int64_t last_cycle = 0;             // of its packet
  };

  Running& at(std::uint32_t simd, std::uint32_t slot) { return running_[simd][slot % kSlots]; }

  void close(Running& wave, std::int64_t at_cycle, bool has_ended) {
    if (wave.open) sink_.end(*wave.open, at_cycle, has_ended);
    wave = {};
  }

  // The cycle at which the next instruction begins, after the last one's have ended and those of a barrier between
  // them.
  std::int64_t follow(const Running& wave, const IssuedInstruction& next, bool is_end) {
    if (!wave.open) return next.issue_cycle;
    std::int64_t from_cycle = next.issue_cycle;
    if (wave.last != kNoPlace) {
      const std::int64_t passed = cycles_between(wave.last_cycle, next.issue_cycle);
      const SharedCycles shared = share_cycles(traits_, wave.last, next.place.value_or(kNoPlace), passed, is_end);
      const std::int64_t own_end = wave.last_cycle + shared.own;
      sink_.end(*wave.open, own_end, true);
      if (shared.barrier != kNoPlace) {
        sink_.end(sink_.begin({.simd = next.simd,
                               .slot = next.slot,
                               .place = shared.barrier,
                               .start_cycle = own_end,
                               .issue_cycle = own_end}),
                  next.issue_cycle, true);
      } else if (shared.is_waited) {
        from_cycle = std::min(own_end, next.issue_cycle);
      }
    } else {
      sink_.end(*wave.open, next.issue_cycle, true);
    }
    return from_cycle;
  }

  std::optional<std::uint64_t> dispatch(const Step& step, std::uint32_t simd, std::uint32_t slot,
                                        std::string_view operation) {
    Running& wave = at(simd, slot);
    IssuedInstruction made{
        .simd = simd, .slot = slot % kSlots, .operation = operation, .issue_cycle = step.packet.at_cycle};
    if (step.line != nullptr) made.place = static_cast<std::uint32_t>(step.line - listing_->lines().data());
    made.start_cycle = follow(wave, made, false);
    wave = {.open = sink_.begin(made), .last = made.place.value_or(kNoPlace), .last_cycle = made.issue_cycle};
    return wave.open;
  }

  void end_wave(const Step& step, Running& wave) {
    const auto place = step.address && listing_ != nullptr ? listing_->find(*step.address) : std::nullopt;
    if (!place || !wave.open) return close(wave, step.packet.at_cycle, true);
    IssuedInstruction last{.slot = static_cast<std::uint32_t>(step.packet.value("wave")) % kSlots,
                           .place = place,
                           .issue_cycle = step.packet.at_cycle};
    last.start_cycle = follow(wave, last, true);
    sink_.end(sink_.begin(last), last.issue_cycle, true);
    wave = {};
  }

  const amd::CodeListing* const listing_;
  SpanSink& sink_;
  const std::vector<LineTraits> traits_;
  std::array<std::array<Running, kSlots>, kSimds> running_{};
  ExecutionLinks<std::optional<std::uint64_t>> links_;
  std::int64_t last_cycle_ = 0;
  std::uint64_t unlinked_ = 0;
};

}  // namespace

std::uint64_t walk_spans(std::span<const std::byte> trace, amd::Family family, const amd::CodeListing* listing,
                         SpanSink& sink) {
  SpanWalk walk(family, listing, sink);
  if (family == amd::Family::kCdna) {
    decode_packets(trace, [&](const Packet& packet) { return walk.take_cdna(packet); });
  } else {
    walk_instructions(trace, listing, [&](const Step& step) { return walk.take(step); });
  }
  return walk.finish();
}

}  // namespace vizd::thread_trace
