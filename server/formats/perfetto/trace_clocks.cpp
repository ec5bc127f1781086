// Clocks: which snapshots tell how they stand to each other, and times on the trace's own.
#include <algorithm>
#include <limits>

#include "formats/perfetto/fields.h"
#include "formats/perfetto/packet_fields.h"
#include "formats/perfetto/trace_decoder.h"
#include "formats/trace_words.h"

namespace vizd::perfetto {

namespace f = field;
using protozero::pbf_reader;

void TraceDecoder::take_clock_snapshot(pbf_reader snapshot, const PacketHead& head) {
  const std::uint32_t sequence = head.sequence;
  struct Reading {
    std::uint32_t id = 0;
    std::int64_t at = 0, multiplier_ns = 1;
    bool is_incremental = false;
  };
  std::vector<Reading> readings;
  while (snapshot.next()) {
    if (snapshot.tag() != f::clock::kClocks) {
      snapshot.skip();
      continue;
    }
    Reading reading;
    pbf_reader clock(snapshot.get_view());
    while (clock.next()) {
      if (clock.tag() == f::clock::kId) {
        reading.id = clock.get_uint32();
      } else if (clock.tag() == f::clock::kTimestamp) {
        reading.at = static_cast<std::int64_t>(clock.get_uint64());
      } else if (clock.tag() == f::clock::kIsIncremental) {
        reading.is_incremental = clock.get_bool();
      } else if (clock.tag() == f::clock::kUnitMultiplier) {
        reading.multiplier_ns = std::max<std::int64_t>(1, static_cast<std::int64_t>(clock.get_uint64()));
      } else {
        clock.skip();
      }
    }
    readings.push_back(reading);
  }
  const auto is_packets_own = [&](const Reading& reading) {
    return head.timestamp == static_cast<std::uint64_t>(reading.at) &&
           (reading.id == f::clock::kBoottime || reading.id == f::clock::kRealtime);
  };
  begins_as_pytorch_ = begins_as_pytorch_ ||
                       (packet_count_ == 1 && readings.size() == 2 && std::ranges::all_of(readings, is_packets_own));
  const auto boottime_ns = [&]() -> std::optional<std::int64_t> {
    const auto find = [&](std::uint32_t id) { return std::ranges::find(readings, id, &Reading::id); };
    if (const auto own = find(f::clock::kBoottime); own != readings.end()) return own->at;
    for (const Reading& reading : readings) {
      const auto known = clocks_.find(reading.id);
      std::int64_t ns = 0;
      if (known == clocks_.end() || __builtin_mul_overflow(reading.at, reading.multiplier_ns, &ns) ||
          __builtin_add_overflow(ns, known->second.to_boottime_ns, &ns))
        continue;
      return ns;
    }
    // A program that traces itself may record MONOTONIC only, which then is the trace's clock.
    if (const auto monotonic = find(f::clock::kMonotonic); monotonic != readings.end()) return monotonic->at;
    return std::nullopt;
  }();
  if (!boottime_ns) return;
  for (const Reading& reading : readings) {
    std::int64_t ns = 0, offset_ns = 0;
    if (__builtin_mul_overflow(reading.at, reading.multiplier_ns, &ns) ||
        __builtin_sub_overflow(*boottime_ns, ns, &offset_ns))
      continue;
    const ClockState state{offset_ns, reading.multiplier_ns, reading.is_incremental};
    if (reading.id >= kFirstSequenceClock && reading.id <= kLastSequenceClock) {
      sequence_clocks_[{sequence, reading.id}] = state;
      sequences_[sequence].incremental_ns[reading.id] = ns;
    } else {
      clocks_[reading.id] = state;
    }
    if (reading.id == f::clock::kRealtime && !unix_offset_ns_ && is_possible_offset(offset_ns))
      unix_offset_ns_ = -offset_ns;
  }
}

std::optional<std::int64_t> TraceDecoder::time_of(std::uint64_t timestamp, std::uint32_t clock,
                                                  std::uint32_t sequence_number, Sequence& sequence) {
  ClockState state;
  if (clock != kNoClock && clock != f::clock::kBoottime) {
    const bool is_of_sequence = clock >= kFirstSequenceClock && clock <= kLastSequenceClock;
    const auto own = sequence_clocks_.find({sequence_number, clock});
    const auto shared = clocks_.find(clock);
    if (is_of_sequence && own != sequence_clocks_.end()) {
      state = own->second;
    } else if (!is_of_sequence && shared != clocks_.end()) {
      state = shared->second;
    } else {
      skip("times of a clock that no snapshot tells of, taken as they are");
    }
  }
  std::int64_t ns = 0, at_ns = 0;
  if (timestamp > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()) ||
      __builtin_mul_overflow(static_cast<std::int64_t>(timestamp), state.multiplier_ns, &ns))
    return std::nullopt;
  if (state.is_incremental) {
    std::int64_t& last_ns = sequence.incremental_ns[clock];
    if (__builtin_add_overflow(last_ns, ns, &ns)) return std::nullopt;
    last_ns = ns;
  }
  if (__builtin_add_overflow(ns, state.to_boottime_ns, &at_ns)) return std::nullopt;
  if (!origin_ns_) {
    // A trace that vizd wrote keeps its own times, where these are no larger than times may be.
    std::int64_t own_ns = 0;
    const bool is_own = own_origin_ns_ && !__builtin_sub_overflow(at_ns, *own_origin_ns_, &own_ns) &&
                        own_ns > -kMostTime_ns / 2 && own_ns < kMostTime_ns / 2;
    origin_ns_ = is_own ? *own_origin_ns_ : at_ns > kMostTime_ns || at_ns < -kMostTime_ns ? at_ns : 0;
  }
  if (__builtin_sub_overflow(at_ns, *origin_ns_, &at_ns)) return std::nullopt;
  return at_ns > -kMostTime_ns && at_ns < kMostTime_ns ? std::optional(at_ns) : std::nullopt;
}

}  // namespace vizd::perfetto
