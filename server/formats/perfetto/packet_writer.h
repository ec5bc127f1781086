// PacketWriter: packets of one sequence, with the texts that they refer to by number, handed on in parts. One thread.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "formats/perfetto/fields.h"
#include "formats/perfetto/protozero.h"
#include "formats/writer.h"
#include "model/argument_json.h"
#include "model/capture.h"

namespace vizd::perfetto {

class PacketWriter {
 public:
  // shift_ns: from the times that it is given to the trace's.
  PacketWriter(const StringTable& strings, std::int64_t shift_ns, const WriteText& write)
      : strings_(strings), json_unit_(strings.find(argument::kJson)), shift_ns_(shift_ns), write_(write) {}

  // Writes one packet: what fill(writer) puts into it. What was interned for it goes with it.
  template <typename Fill>
  void put(std::uint32_t flags, Fill&& fill) {
    packet_.clear();
    protozero::pbf_writer packet(packet_);
    fill(packet);
    packet.add_uint32(field::packet::kSequence, kSequence);
    packet.add_uint32(field::packet::kSequenceFlags, flags);
    if (!interned_.empty()) packet.add_message(field::packet::kInternedData, std::exchange(interned_, {}));
    protozero::pbf_writer(out_).add_message(field::kPacket, packet_);
    if (out_.size() < kPart_bytes) return;
    write_(out_);
    out_.clear();
  }

  // Writes one track event at that time: its type, track, and what fill(writer) adds.
  template <typename Fill>
  void put_event(std::uint32_t type, std::uint64_t uuid, std::int64_t at_ns, Fill&& fill) {
    put_event_as(field::packet::kTrackEvent, type, uuid, at_ns, std::forward<Fill>(fill));
  }
  // The same as another part of a packet.
  template <typename Fill>
  void put_event_as(Field part, std::uint32_t type, std::uint64_t uuid, std::int64_t at_ns, Fill&& fill) {
    put(field::packet::kFlagNeedsState, [&](protozero::pbf_writer& packet) {
      packet.add_uint64(field::packet::kTimestamp,
                        static_cast<std::uint64_t>(std::max<std::int64_t>(at_ns + shift_ns_, 0)));
      protozero::pbf_writer event(packet, part);
      if (type != 0) event.add_uint32(field::event::kType, type);
      event.add_uint64(field::event::kTrack, uuid);
      fill(event);
    });
  }

  // Writes one packet of another kind at that time: what fill(writer) puts into that part.
  template <typename Fill>
  void put_part(Field part, std::int64_t at_ns, Fill&& fill) {
    put(field::packet::kFlagNeedsState, [&](protozero::pbf_writer& packet) {
      packet.add_uint64(field::packet::kTimestamp,
                        static_cast<std::uint64_t>(std::max<std::int64_t>(at_ns + shift_ns_, 0)));
      protozero::pbf_writer writer(packet, part);
      fill(writer);
    });
  }

  // The numbers of an event's name, and of a queue or a stage of a GPU's.
  std::uint64_t intern_name(std::string_view name) { return intern(names_, field::interned::kEventNames, name); }
  std::uint64_t intern_spec(std::string_view name, std::string_view description);

  // Into a track event.
  void put_name(protozero::pbf_writer& event, std::string_view name, std::string_view category);
  void put_annotation(protozero::pbf_writer& event, std::string_view name, const ArgumentValue& value, StringId unit);
  static void put_flag(protozero::pbf_writer& event, std::string_view name);

  // Hands on what is left. Last.
  void finish() { write_(out_); }

 private:
  static constexpr std::uint32_t kSequence = 1;
  static constexpr std::size_t kPart_bytes = std::size_t{1} << 20;
  using Interned = std::unordered_map<std::string, std::uint64_t>;  // numbers by text

  std::uint64_t intern(Interned& table, Field field, std::string_view value);

  const StringTable& strings_;
  const StringId json_unit_;
  const std::int64_t shift_ns_;
  const WriteText& write_;
  Interned names_, categories_, annotation_names_, annotation_texts_;
  Interned specs_;  // by description and name
  std::string out_, packet_, interned_;
};

}  // namespace vizd::perfetto
