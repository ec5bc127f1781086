#include "hardware/thread_trace/heat.h"

#include <algorithm>
#include <deque>

#include "disasm/amd/memory_counters.h"
#include "hardware/thread_trace/execution_links.h"
#include "hardware/thread_trace/line_traits.h"

namespace vizd::thread_trace {

void CycleCounts::add(std::int64_t cycles) {
  ++count_;
  total_ += cycles;
  if (cycles < 0 || cycles >= kSmall) {
    ++large_[cycles];
    return;
  }
  if (small_.empty()) small_.resize(kSmall);
  ++small_[static_cast<std::size_t>(cycles)];
}

template <typename Visit>
void CycleCounts::each(Visit&& visit) const {
  const auto from_zero = large_.lower_bound(0);
  for (auto entry = large_.begin(); entry != from_zero; ++entry) {
    if (!visit(entry->first, entry->second)) return;
  }
  for (std::size_t i = 0; i < small_.size(); ++i) {
    if (small_[i] != 0 && !visit(static_cast<std::int64_t>(i), small_[i])) return;
  }
  for (auto entry = from_zero; entry != large_.end(); ++entry) {
    if (!visit(entry->first, entry->second)) return;
  }
}

std::int64_t CycleCounts::median() const {
  std::int64_t found = 0;
  std::uint64_t before = 0;
  each([&](std::int64_t cycles, std::uint32_t times) {
    found = cycles;
    before += times;
    return 2 * before < count_;
  });
  return found;
}

std::int64_t CycleCounts::least() const {
  std::int64_t found = 0;
  each([&](std::int64_t cycles, std::uint32_t) {
    found = cycles;
    return false;
  });
  return found;
}

std::int64_t CycleCounts::most() const {
  std::int64_t found = 0;
  each([&](std::int64_t cycles, std::uint32_t) {
    found = cycles;
    return true;
  });
  return found;
}

namespace {

// One for each instruction that a jump leads back to.
std::vector<LoopHeat> loops_of(const amd::CodeListing& listing, std::vector<LineTraits>& traits) {
  std::vector<LoopHeat> loops;
  for (std::uint32_t place = 0; place < listing.lines().size(); ++place) {
    const amd::CodeListing::Line& line = listing.lines()[place];
    if (!line.jump || *line.jump >= 0) continue;
    const std::uint64_t to = line.address + line.instruction.size_bytes() + static_cast<std::uint64_t>(*line.jump);
    const auto head = listing.find(to);
    if (!head) continue;
    std::uint32_t& loop = traits[*head].loop;
    if (loop == kNoPlace) {
      loop = static_cast<std::uint32_t>(loops.size());
      loops.emplace_back().head = *head;
    }
    loops[loop].last = std::max(loops[loop].last, place);
  }
  return loops;
}

}  // namespace

// Operations of one wave that are on their way, by counter, the oldest first. A part of HeatBuilder::State, which a
// header names: gcc wants no type of this file alone in it where files are compiled together.
class Outstanding {
 public:
  void raise(const LineTraits& line, std::uint32_t place) {
    for (const amd::MemoryCounter counter : line.raises) {
      std::deque<std::uint32_t>& queue = queues_[static_cast<std::size_t>(counter)];
      queue.push_back(place);
      // The counters have no more than six bits; a wave that never waits for its stores would fill the memory.
      if (queue.size() > kMost) queue.pop_front();
    }
  }

  // What had to arrive last for the wait to be over, or kNoPlace where nothing was on its way.
  std::uint32_t wait(const LineTraits& line) {
    std::uint32_t last = kNoPlace;
    for (const amd::CounterWait& wait : line.waits) {
      std::deque<std::uint32_t>& queue = queues_[static_cast<std::size_t>(wait.counter)];
      while (queue.size() > wait.most) {
        last = queue.front();
        queue.pop_front();
      }
    }
    return last;
  }

 private:
  static constexpr std::size_t kMost = 63;
  std::array<std::deque<std::uint32_t>, amd::kMemoryCounters> queues_;
};

class HeatBuilder::State {
 public:
  State(amd::Family family, const amd::CodeListing& listing, std::optional<std::uint32_t> only)
      : listing_(listing), only_(only), traits_(traits_of(family, listing)), loops_(loops_of(listing, traits_)) {
    heat_.resize(listing.lines().size());
  }

  void add(std::span<const std::byte> trace, const Budget& budget) {
    running_ = {};
    links_ = {};
    walk_instructions(trace, &listing_, [&](const Step& step) {
      take(step);
      return budget.goes_on();
    });
    ++traces_;
  }

  Heat finish() {
    for (std::uint32_t place = 0; place < heat_.size(); ++place) {
      if (heat_[place].hits == 0) continue;
      heat_[place].place = place;
      result_.instructions.push_back(std::move(heat_[place]));
    }
    for (const auto& [places, wait] : waits_) result_.waits.push_back(wait);
    std::erase_if(loops_, [](const LoopHeat& loop) { return loop.entries == 0; });
    std::ranges::sort(loops_, [](const LoopHeat& a, const LoopHeat& b) {
      return a.head != b.head ? a.head < b.head : a.last > b.last;
    });
    result_.loops = std::move(loops_);
    return std::move(result_);
  }

 private:
  struct Dispatch {
    std::uint32_t place = kNoPlace;
    std::int64_t at_cycle = 0;
  };
  struct Iteration {
    std::uint32_t loop = 0;
    std::int64_t since_cycle = 0;
  };
  // What a slot of the traced SIMD runs.
  struct Running {
    std::uint32_t wave = kNoPlace;  // in Heat::waves; kNoPlace before its first instruction
    bool is_counted = false;        // it is of those that were asked for
    std::uint32_t last = kNoPlace;  // its last instruction; kNoPlace where its place is not known
    std::int64_t last_cycle = 0;
    std::int64_t carried_cycles = 0;  // that the last one had waited when it was issued
    Outstanding outstanding;
    std::vector<Iteration> iterations;  // of the loops that it is in
  };

  void take(const Step& step) {
    const Packet& packet = step.packet;
    const auto slot = static_cast<std::uint32_t>(step.wave.value_or(static_cast<std::uint32_t>(packet.value("wave"))));
    switch (packet.kind()) {
      case PacketKind::kWaveStart:
        running_[slot & 31] = {};
        break;
      case PacketKind::kWaveEnd:
        end(step, slot & 31);
        break;
      case PacketKind::kInst: {
        const auto operation = operation_name(packet.layout, static_cast<std::uint32_t>(packet.value("op")));
        if (!operation.starts_with(kOfOthers)) dispatch(step, slot & 31);
        links_.queue(operation, step, dispatched(step, slot & 31));
        break;
      }
      case PacketKind::kValu:
        dispatch(step, slot & 31);
        links_.queue(packet.shape->name, step, dispatched(step, slot & 31));
        break;
      case PacketKind::kImmediate:
      case PacketKind::kImmediateMask:
        dispatch(step, slot & 31);
        break;
      case PacketKind::kAluExec:
      case PacketKind::kMemoryExec:
        links_.execute(packet, [&](const auto& execution) {
          if (!execution.dispatch || execution.dispatch->place == kNoPlace) return;
          heat_[execution.dispatch->place].execute_delay.add(
              cycles_between(execution.dispatch->at_cycle, execution.start_cycle));
        });
        break;
      default:
        break;
    }
  }

  std::uint32_t place_of(const Step& step) const {
    return step.line == nullptr ? kNoPlace : static_cast<std::uint32_t>(step.line - listing_.lines().data());
  }
  Dispatch dispatched(const Step& step, std::uint32_t slot) const {
    return {running_[slot].is_counted ? place_of(step) : kNoPlace, step.packet.at_cycle};
  }

  void dispatch(const Step& step, std::uint32_t slot) {
    Running& wave = running_[slot];
    const std::uint32_t place = place_of(step);
    const std::int64_t at_cycle = step.packet.at_cycle;
    if (place == kNoPlace) {
      ++result_.unplaced;
      leave(wave, at_cycle);
      return;
    }
    if (wave.wave == kNoPlace) begin(wave, slot, at_cycle);
    follow(wave, place, at_cycle);
    WaveHeat& about = result_.waves[wave.wave];
    ++about.instructions;
    about.end_cycle = at_cycle;
    if (wave.is_counted) ++heat_[place].hits;
    wave.outstanding.raise(traits_[place], place);
    iterate(wave, place, at_cycle);
    wave.last = place;
    wave.last_cycle = at_cycle;
  }

  void begin(Running& wave, std::uint32_t slot, std::int64_t at_cycle) {
    wave.wave = static_cast<std::uint32_t>(result_.waves.size());
    wave.is_counted = !only_ || *only_ == wave.wave;
    result_.waves.push_back({.trace = traces_, .slot = slot, .start_cycle = at_cycle, .end_cycle = at_cycle});
  }

  void end(const Step& step, std::uint32_t slot) {
    Running& wave = running_[slot];
    const std::int64_t at_cycle = step.packet.at_cycle;
    if (wave.wave != kNoPlace) {
      const auto place = step.address ? listing_.find(*step.address) : std::nullopt;
      const std::int64_t waited = follow(wave, place.value_or(kNoPlace), at_cycle, true);
      WaveHeat& about = result_.waves[wave.wave];
      about.end_cycle = at_cycle;
      about.has_ended = true;
      if (place && wave.is_counted) {
        ++heat_[*place].hits;
        heat_[*place].cycles.add(waited);
      }
      close_iterations(wave, kNoPlace, at_cycle);
    }
    wave = {};
  }

  // The cycles since the wave's last instruction, of which some may be the next one's; returns those. place: the next
  // one, or kNoPlace.
  std::int64_t follow(Running& wave, std::uint32_t place, std::int64_t at_cycle, bool is_end = false) {
    if (wave.last == kNoPlace) return std::exchange(wave.carried_cycles, 0);
    const auto [own, waited, barrier, is_waited] =
        share_cycles(traits_, wave.last, place, cycles_between(wave.last_cycle, at_cycle), is_end);
    WaveHeat& about = result_.waves[wave.wave];
    const bool is_counted = wave.is_counted;
    InstructionHeat& last = heat_[wave.last];
    if (is_counted) last.cycles.add(wave.carried_cycles + own);
    const std::int64_t still = std::max<std::int64_t>(own - 1, 0);
    (traits_[wave.last].is_barrier ? about.barrier_cycles : about.issue_cycles) += still;
    if (is_counted) (traits_[wave.last].is_barrier ? last.barrier_cycles : last.issue_cycles) += still;
    wave.carried_cycles = 0;
    if (barrier != kNoPlace) {
      if (place != kNoPlace) wave.outstanding.wait(traits_[place]);
      about.barrier_cycles += waited;
      if (is_counted) {
        InstructionHeat& at = heat_[barrier];
        ++at.hits;
        at.barrier_cycles += waited;
        at.cycles.add(waited);
      }
      return 0;
    }
    if (!is_waited) return 0;
    InstructionHeat& next = heat_[place];
    if (is_end) {
      about.end_cycles += waited;
      if (is_counted) next.end_cycles += waited;
      return waited;
    }
    about.wait_cycles += waited;
    const std::uint32_t load = wave.outstanding.wait(traits_[place]);
    if (is_counted) {
      next.wait_cycles += waited;
      if (load != kNoPlace) {
        LoadWait& wait = waits_[{place, load}];
        wait.wait = place;
        wait.load = load;
        ++wait.hits;
        wait.cycles += waited;
      }
    }
    return wave.carried_cycles = waited;
  }

  // The wave's place is not known any more.
  void leave(Running& wave, std::int64_t at_cycle) {
    if (wave.last == kNoPlace) return;
    follow(wave, kNoPlace, at_cycle);
    wave.last = kNoPlace;
    wave.iterations.clear();
    wave.outstanding = {};
  }

  // Ends the iterations of all loops that the place is not in.
  void close_iterations(Running& wave, std::uint32_t place, std::int64_t at_cycle) {
    std::erase_if(wave.iterations, [&](const Iteration& iteration) {
      LoopHeat& loop = loops_[iteration.loop];
      if (place != kNoPlace && place >= loop.head && place <= loop.last) return false;
      if (wave.is_counted) loop.iterations.add(cycles_between(iteration.since_cycle, at_cycle));
      return true;
    });
  }

  void iterate(Running& wave, std::uint32_t place, std::int64_t at_cycle) {
    close_iterations(wave, place, at_cycle);
    const std::uint32_t loop = traits_[place].loop;
    if (loop == kNoPlace) return;
    const auto running = std::ranges::find(wave.iterations, loop, &Iteration::loop);
    if (running == wave.iterations.end()) {
      wave.iterations.push_back({loop, at_cycle});
      if (wave.is_counted) ++loops_[loop].entries;
      return;
    }
    if (wave.is_counted) loops_[loop].iterations.add(cycles_between(running->since_cycle, at_cycle));
    running->since_cycle = at_cycle;
  }

  const amd::CodeListing& listing_;
  const std::optional<std::uint32_t> only_;
  std::vector<LineTraits> traits_;  // by place
  std::vector<LoopHeat> loops_;
  std::vector<InstructionHeat> heat_;  // by place
  std::map<std::pair<std::uint32_t, std::uint32_t>, LoadWait> waits_;
  std::array<Running, 32> running_;  // by slot
  ExecutionLinks<Dispatch> links_;
  std::uint32_t traces_ = 0;
  Heat result_;
};

HeatBuilder::HeatBuilder(amd::Family family, const amd::CodeListing& listing, std::optional<std::uint32_t> only)
    : state_(std::make_unique<State>(family, listing, only)) {}
HeatBuilder::~HeatBuilder() = default;
void HeatBuilder::add(std::span<const std::byte> trace, const Budget& budget) { state_->add(trace, budget); }
Heat HeatBuilder::finish() { return state_->finish(); }

}  // namespace vizd::thread_trace
