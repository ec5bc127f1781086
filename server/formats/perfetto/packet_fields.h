// Shared by the parts of TraceDecoder: texts and numbers out of protozero's fields, and bounds.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "formats/perfetto/protozero.h"

namespace vizd::perfetto {

inline constexpr std::int64_t kMostTime_ns = std::int64_t{1} << 58;
inline constexpr int kMostDepth = 16;  // of packed packets, and of annotations
// A track takes some kilobytes, and what is told of one before it is known to be a track (its number and names, or that
// slices of another overlap there) some hundred bytes.
inline constexpr std::size_t kMostTracks = std::size_t{1} << 16, kMostRecords = std::size_t{1} << 20;
// Tracks that the file does not number get numbers from here on, which writers choose hardly ever: theirs are 64 bits.
inline constexpr std::uint64_t kFirstOwnUuid = 0xC9F0'0000'0000'0000u;
inline constexpr std::uint32_t kNoClock = 0;
inline constexpr std::uint32_t kFirstSequenceClock = 64, kLastSequenceClock = 127;

inline std::string to_text(protozero::data_view view) { return {view.data(), view.size()}; }

// Calls visit(number) for each of a field that may be packed.
template <typename Visit>
void for_each_number(protozero::pbf_reader& message, bool is_fixed, Visit&& visit) {
  if (message.wire_type() == protozero::pbf_wire_type::length_delimited) {
    if (is_fixed) {
      for (const std::uint64_t number : message.get_packed_fixed64()) visit(number);
    } else {
      for (const std::uint64_t number : message.get_packed_uint64()) visit(number);
    }
  } else {
    visit(is_fixed ? message.get_fixed64() : message.get_uint64());
  }
}

}  // namespace vizd::perfetto
