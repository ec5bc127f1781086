#include "hardware/thread_trace/lanes.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <deque>
#include <unordered_map>

#include "hardware/thread_trace/instruction_walk.h"

namespace vizd::thread_trace {
namespace {

constexpr std::string_view kOthers = "OTHER_";
constexpr std::string_view kAlternative = "_ALT";  // a pipe, as another SIMD uses it

// The units of a SIMD that execute what is dispatched.
constexpr std::string_view kPipes[] = {"VALU", "SALU", "VMEM", "LDS"};

std::optional<std::size_t> find_pipe(std::string_view name) {
  const auto found = std::ranges::find(kPipes, name);
  return found == std::end(kPipes) ? std::nullopt : std::optional<std::size_t>(found - std::begin(kPipes));
}

// The pipe of what is dispatched under this name; nothing where none tells of its executions.
std::optional<std::size_t> pipe_of(std::string_view operation) {
  constexpr std::pair<std::string_view, std::string_view> kOperations[] = {
      {"WMMA", "VALU"},     {"VALU", "VALU"},    {"VALU1", "VALU"}, {"VALUT", "VALU"}, {"VALUB", "VALU"},
      {"VALUINST", "VALU"}, {"VINTERP", "VALU"}, {"SGMEM", "VMEM"}, {"FLAT", "VMEM"},  {"VMEM", "VMEM"},
      {"LDS", "LDS"},       {"SALU", "SALU"},    {"SMEM", "SALU"}};
  if (operation.starts_with(kOthers)) operation.remove_prefix(kOthers.size());
  operation = operation.substr(0, operation.find('_'));
  for (const auto& [kind, pipe] : kOperations) {
    if (kind == operation) return find_pipe(pipe);
  }
  return std::nullopt;
}

// The number that a name ends in behind "_", else 1.
std::int64_t cycles_of(std::string_view operation) {
  const std::size_t at = operation.rfind('_');
  if (at == std::string_view::npos || at + 1 == operation.size()) return 1;
  std::int64_t cycles = 0;
  const auto [end, problem] = std::from_chars(operation.data() + at + 1, operation.data() + operation.size(), cycles);
  return problem == std::errc() && end == operation.data() + operation.size() ? cycles : 1;
}

// What tinygrad calls a packet: that of RDNA 4 is told apart where waves end.
std::string_view packet_name(const Packet& packet) {
  if (packet.kind() == PacketKind::kWaveEnd && packet.layout == Layout::kRdna4) return "WAVEEND_RDNA4";
  return packet.shape->name;
}

class LaneBuilder {
 public:
  explicit LaneBuilder(std::uint64_t most_records) : most_(most_records) { count(); }

  bool is_full() const { return records_ >= most_; }
  bool take(const Step& step) {
    const Packet& packet = step.packet;
    switch (packet.kind()) {
      case PacketKind::kTimeMarker:
        if (packet.is_marker()) add_clock(packet);
        break;
      case PacketKind::kInst:
      case PacketKind::kCdnaInst: {
        const auto operation = static_cast<std::uint32_t>(packet.value("op"));
        add_dispatch(operation_name(packet.layout, operation), wave_of(packet), step);
        break;
      }
      case PacketKind::kValu:
      case PacketKind::kImmediate:
      case PacketKind::kWaveEnd:
        add_dispatch(packet_name(packet), wave_of(packet), step);
        break;
      case PacketKind::kImmediateMask:
        add_dispatch("IMMEDIATE", step.wave.value_or(0), step);
        break;
      case PacketKind::kWaveReady:
        for (std::uint32_t wave = 0; wave < 16; ++wave) {
          if ((packet.value("mask") >> wave & 1) != 0 && barriers_[wave]) add_dispatch("WAVERDY", wave, step);
        }
        break;
      case PacketKind::kAluExec:
      case PacketKind::kMemoryExec:
        add_executions(packet);
        break;
      default:
        break;
    }
    return !is_full();
  }

  Lanes finish() {
    lanes_.is_cut = is_full();
    return std::move(lanes_);
  }

 private:
  using EventPlace = std::pair<std::uint32_t, std::uint32_t>;
  struct Pending {
    EventPlace dispatch;
    std::string_view operation;
  };

  static std::uint32_t wave_of(const Packet& packet) { return static_cast<std::uint32_t>(packet.value("wave")) & 31; }

  // Whether there was room for another record.
  bool count() {
    if (is_full()) return false;
    ++records_;
    return true;
  }

  std::uint32_t name(std::string_view text) {
    const auto [entry, is_new] =
        name_places_.try_emplace(std::string(text), static_cast<std::uint32_t>(lanes_.names.size()));
    if (is_new) lanes_.names.emplace_back(text);
    return entry->second;
  }

  // The lane's place; nothing where there is no room for it and the record that begins it.
  std::optional<std::uint32_t> lane(const std::string& name) {
    const auto found = lane_places_.find(name);
    if (found != lane_places_.end()) return found->second;
    if (!count()) return std::nullopt;
    const auto place = static_cast<std::uint32_t>(lanes_.lanes.size());
    lanes_.lanes.push_back({name, {}});
    lane_places_.emplace(name, place);
    return place;
  }

  std::optional<std::uint32_t> wave_lane(std::uint32_t wave) {
    if (!wave_lanes_[wave]) wave_lanes_[wave] = lane(fmt::format("WAVE:{}", wave));
    return wave_lanes_[wave];
  }

  // What was dispatched for a wave.
  void add_dispatch(std::string_view operation, std::uint32_t wave, const Step& step) {
    const auto row = wave_lane(wave);
    if (!row || !count()) return;
    std::vector<LaneEvent>& events = lanes_.lanes[*row].events;
    const EventPlace place{*row, static_cast<std::uint32_t>(events.size())};
    const PacketKind kind = step.packet.kind();
    if (kind == PacketKind::kValu || kind == PacketKind::kInst) operation = queue(operation, place, step);
    const std::int64_t at_cycle = step.packet.at_cycle;
    events.push_back({name(operation), events_++, at_cycle, at_cycle + 1, step.address, std::nullopt});
    if (is_full()) return;  // as one who stops reading here would not see what comes of it
    if (const auto barrier = std::exchange(barriers_[wave], std::nullopt)) events[*barrier].end_cycle = at_cycle;
    if (operation == "BARRIER" || operation == "BARRIER_SIGNAL") barriers_[wave] = place.second;
  }

  // Has the dispatch wait for its execution; returns what it is called then.
  std::string_view queue(std::string_view operation, const EventPlace& place, const Step& step) {
    const auto pipe = pipe_of(operation);
    if (!pipe) return operation;
    const bool is_others = operation.starts_with(kOthers);
    // RDNA 3 has no operation of its own for matrices.
    const std::string_view instruction = step.line == nullptr ? "" : step.line->instruction.operation();
    if (step.packet.kind() == PacketKind::kValu && instruction.starts_with("V_WMMA")) {
      operation = instruction.find("IU4") != std::string_view::npos ? "WMMA_VALU_16" : "WMMA_VALU_32";
    }
    pending_[*pipe][is_others].push_back({place, operation});
    return operation;
  }

  void add_executions(const Packet& packet) {
    const std::string_view source = source_name(packet.kind(), packet.value("src"));
    if (source == "VALU_SALU") {
      add_execution("VALU", packet);
      add_execution("SALU", packet);
    } else {
      add_execution(source, packet);
    }
  }

  // The oldest dispatch that waits for this pipe.
  std::optional<Pending> executed(std::string_view pipe, bool is_others) {
    const auto number = find_pipe(pipe);
    if (!number || pending_[*number][is_others].empty()) {
      ++lanes_.unlinked;
      return std::nullopt;
    }
    const Pending oldest = pending_[*number][is_others].front();
    pending_[*number][is_others].pop_front();
    return oldest;
  }

  void add_execution(std::string_view source, const Packet& packet) {
    const bool is_others = source.ends_with(kAlternative);
    std::string_view unit = source.substr(0, source.size() - (is_others ? kAlternative.size() : 0));
    const auto dispatched = executed(unit, is_others);
    const std::string_view operation = dispatched ? dispatched->operation : "";
    const bool is_matrix = operation.starts_with("WMMA");
    if (is_matrix && !operation.starts_with("WMMA_VALU")) unit = "WMMA";
    if (operation.starts_with("VALUT")) unit = "TFU";
    const auto row = lane(fmt::format("{}:0 {}", packet.shape->name, unit));
    if (!row || !count()) return;
    const std::int64_t cycles = cycles_of(operation);
    // Of vector and matrix units the packet marks the end, of all others the beginning.
    const bool ends_here = packet.kind() == PacketKind::kAluExec && unit != "SALU" && unit != "TFU";
    const std::int64_t start_cycle = ends_here ? packet.at_cycle - cycles : packet.at_cycle;
    const std::uint32_t event = name(is_matrix ? fmt::format("{}_WMMA", source) : std::string(source));
    lanes_.lanes[*row].events.push_back({event, events_++, start_cycle, start_cycle + cycles, std::nullopt,
                                         dispatched ? std::optional(dispatched->dispatch) : std::nullopt});
  }

  // Two pairs of cycles and real time tell how fast the shader ran between them.
  void add_clock(const Packet& packet) {
    constexpr std::uint64_t kTicksASecond = 100'000'000;
    const std::uint64_t ticks = packet.shape->delta.of(packet.bits);
    const auto cycle = static_cast<std::uint64_t>(packet.at_cycle);
    const auto last = std::exchange(clock_, std::pair(cycle, ticks));
    if (!last || ticks <= last->second || cycle < last->first) return;
    const std::uint64_t dur_ticks = ticks - last->second, dur_cycles = cycle - last->first;
    // The quotient in two parts, so that their products fit: longer times than these no recorder tells.
    constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max() / kTicksASecond / 2;
    const std::uint64_t whole = dur_cycles / dur_ticks, rest = dur_cycles % dur_ticks;
    if (whole > kMost || rest > kMost || !count()) return;
    lanes_.clock.push_back({packet.at_cycle, whole * kTicksASecond + rest * kTicksASecond / dur_ticks});
  }

  const std::uint64_t most_;
  std::uint64_t records_ = 0;
  std::uint32_t events_ = 0;
  Lanes lanes_;
  std::unordered_map<std::string, std::uint32_t> name_places_, lane_places_;
  std::array<std::optional<std::uint32_t>, 32> wave_lanes_{};
  std::array<std::optional<std::uint32_t>, 32> barriers_{};  // by wave: the event of the barrier that it waits at
  // By pipe, the oldest first: of the traced SIMD, and of others.
  std::array<std::array<std::deque<Pending>, 2>, std::size(kPipes)> pending_;
  std::optional<std::pair<std::uint64_t, std::uint64_t>> clock_;  // cycle and ticks of the last marker
};

}  // namespace

Lanes lanes_of(std::span<const std::byte> trace, const amd::CodeListing* listing, std::uint64_t most_records) {
  LaneBuilder builder(most_records);
  walk_instructions(trace, listing, [&](const Step& step) { return builder.take(step); });
  return builder.finish();
}

}  // namespace vizd::thread_trace
