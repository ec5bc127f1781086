#include "formats/perfetto/trace_decoder.h"

#include <fmt/format.h>

#include <algorithm>

#include "formats/perfetto/fields.h"
#include "formats/perfetto/own_json.h"
#include "formats/perfetto/packet_fields.h"
#include "formats/perfetto/packet_names.h"
#include "formats/perfetto/packet_stream.h"
#include "formats/unpack.h"

namespace vizd::perfetto {

namespace f = field;
using protozero::pbf_reader;
using protozero::pbf_wire_type;

void TraceDecoder::take(std::string_view packet) {
  try {
    take_packet(pbf_reader(packet.data(), packet.size()), 0);
  } catch (const protozero::exception&) {
    skip("packets that are damaged");
  }
}

TraceDecoder::PacketHead TraceDecoder::read_head(pbf_reader packet, PacketParts& parts) {
  PacketHead head;
  std::uint32_t flags = 0;
  while (packet.next()) {
    const Field number = packet.tag();
    const bool is_bytes = packet.wire_type() == pbf_wire_type::length_delimited;
    if (number == f::packet::kTimestamp && !is_bytes) {
      head.timestamp = packet.get_uint64();
    } else if (number == f::packet::kTimestampClock && !is_bytes) {
      head.clock = packet.get_uint32();
    } else if (number == f::packet::kSequence && !is_bytes) {
      head.sequence = packet.get_uint32();
    } else if (number == f::packet::kSequenceFlags && !is_bytes) {
      flags = packet.get_uint32();
      head.has_flags = true;
    } else if (number == f::packet::kStateCleared && !is_bytes) {
      head.clears_state = packet.get_bool();
    } else if (is_bytes) {
      parts.emplace_back(number, packet.get_view());
    } else {
      // Who wrote the packet, and where in its buffer, is of no matter here.
      constexpr Field kOfWriting[] = {f::packet::kTrustedUid, f::packet::kPacketDropped, f::packet::kTrustedPid,
                                      f::packet::kFirstOnSequence, f::packet::kMachine};
      if (std::ranges::find(kOfWriting, number) == std::end(kOfWriting))
        skip("fields of packets that vizd does not know");
      packet.skip();
    }
  }
  head.needs_state = (flags & f::packet::kFlagNeedsState) != 0;
  head.clears_state = head.clears_state || (flags & f::packet::kFlagStateCleared) != 0;
  return head;
}

// Interned texts and defaults hold for the packet that they come with.
void TraceDecoder::take_packet(pbf_reader packet, int depth) {
  PacketParts parts;
  const PacketHead head = read_head(packet, parts);
  ++packet_count_;
  Sequence& sequence = sequences_[head.sequence];
  if (head.clears_state) {
    sequence = {};
    sequence.is_begun = true;
  }
  if (sequence.generation == 0) sequence.generation = ++generation_;
  if (head.needs_state && !sequence.is_begun) skip("packets that refer to others before them, which are missing");
  if (parts.empty() && !head.clears_state) skip("packets that hold nothing");
  for (const auto& [number, view] : parts) {
    if (number == f::packet::kInternedData) take_interned(pbf_reader(view), sequence);
    if (number == f::packet::kDefaults) take_defaults(pbf_reader(view), sequence);
  }
  std::optional<std::int64_t> at_ns;
  if (head.timestamp) {
    const std::uint32_t clock = head.clock != kNoClock ? head.clock : sequence.default_clock;
    at_ns = time_of(*head.timestamp, clock, head.sequence, sequence);
  }
  for (const auto& [number, view] : parts) take_part(number, view, head, at_ns, sequence, depth);
}

void TraceDecoder::take_part(Field field, protozero::data_view bytes, const PacketHead& head,
                             std::optional<std::int64_t> at_ns, Sequence& sequence, int depth) {
  switch (field) {
    case f::packet::kTrackEvent:
    case f::packet::kFlowEnd:
      return take_event(pbf_reader(bytes), at_ns, sequence, head, field == f::packet::kFlowEnd);
    case f::packet::kTrackDescriptor:
      return take_descriptor(pbf_reader(bytes), head);
    case f::packet::kThreadDescriptor:
      return take_thread_descriptor(pbf_reader(bytes), sequence);
    case f::packet::kGpuStage:
      return take_stage(pbf_reader(bytes), at_ns, sequence, head.sequence);
    case f::packet::kGpuCounters:
      return take_gpu_counters(pbf_reader(bytes), at_ns, sequence);
    case f::packet::kClockSnapshot:
      return take_clock_snapshot(pbf_reader(bytes), head);
    case f::packet::kProcessTree:
      return take_process_tree(pbf_reader(bytes));
    case f::packet::kChromeEvents:
      return take_chrome_events(pbf_reader(bytes));
    case f::packet::kFtraceEvents:
      return take_ftrace(pbf_reader(bytes));
    case f::packet::kCompressedPackets:
    case f::packet::kZstdPackets:
      return take_packed({bytes.data(), bytes.size()}, depth);
    case f::packet::kInternedData:
    case f::packet::kDefaults:
      return;
    default:
      if (!is_of_service(field)) skip(fmt::format("packets that vizd does not draw: {}", packet_name(field)));
  }
}

void TraceDecoder::take_packed(std::string_view packed, int depth) {
  if (depth >= kMostDepth) return skip("packets packed too often");
  const auto bytes = std::as_bytes(std::span(packed));
  const auto unpacked = unpack(bytes, "packed packets");
  if (!unpacked) return skip("packed packets that do not unpack");
  PacketStream packets([&](std::string_view packet) {
    try {
      take_packet(pbf_reader(packet.data(), packet.size()), depth + 1);
    } catch (const protozero::exception&) {
      skip("packets that are damaged");
    }
  });
  if (!packets.feed(*unpacked) || packets.is_cut()) skip("packed packets that are cut or damaged inside");
  count_strangers(packets.stranger_count());
}

void TraceDecoder::take_interned(pbf_reader data, Sequence& sequence) {
  while (data.next()) {
    auto* const table = data.tag() == f::interned::kCategories        ? &sequence.categories
                        : data.tag() == f::interned::kEventNames      ? &sequence.names
                        : data.tag() == f::interned::kAnnotationNames ? &sequence.annotation_names
                        : data.tag() == f::interned::kAnnotationTexts ? &sequence.annotation_texts
                                                                      : nullptr;
    if (data.wire_type() != pbf_wire_type::length_delimited) {
      data.skip();
      continue;
    }
    if (table == nullptr) {
      const Field field = data.tag();
      take_gpu_interned(field, pbf_reader(data.get_view()), sequence.gpu);
      continue;
    }
    pbf_reader entry(data.get_view());
    std::uint64_t iid = 0;
    std::string text;
    while (entry.next()) {
      if (entry.tag() == f::interned::kIid) {
        iid = entry.get_uint64();
      } else if (entry.tag() == f::interned::kText) {
        text = to_text(entry.get_view());
      } else {
        entry.skip();
      }
    }
    (*table)[iid] = std::move(text);
  }
}

void TraceDecoder::take_defaults(pbf_reader defaults, Sequence& sequence) {
  sequence.counter_tracks.clear();
  sequence.double_counter_tracks.clear();
  while (defaults.next()) {
    if (defaults.tag() == f::defaults::kTimestampClock) {
      sequence.default_clock = defaults.get_uint32();
    } else if (defaults.tag() == f::defaults::kTrackEvent) {
      pbf_reader of_event(defaults.get_view());
      while (of_event.next()) {
        if (of_event.tag() == f::defaults::kTrack) {
          sequence.default_track = of_event.get_uint64();
        } else if (of_event.tag() == f::defaults::kExtraCounterTracks) {
          for_each_number(of_event, false, [&](std::uint64_t uuid) { sequence.counter_tracks.push_back(uuid); });
        } else if (of_event.tag() == f::defaults::kExtraDoubleCounterTracks) {
          for_each_number(of_event, false, [&](std::uint64_t uuid) { sequence.double_counter_tracks.push_back(uuid); });
        } else {
          of_event.skip();
        }
      }
    } else {
      defaults.skip();
    }
  }
}

TraceDecoder::TrackRecord* TraceDecoder::record(std::uint64_t uuid) {
  const auto found = places_.find(uuid);
  if (found != places_.end()) return &records_[found->second];
  if (records_.size() == kMostRecords) {
    skip("records of tracks beyond 1,048,576");
    return nullptr;
  }
  places_.emplace(uuid, records_.size());
  TrackRecord& added = records_.emplace_back();
  added.uuid = uuid;
  return &added;
}

TraceDecoder::TrackRecord* TraceDecoder::own_record(const std::string& what) {
  const auto [found, is_new] = own_uuids_.try_emplace(what, kFirstOwnUuid + own_uuids_.size());
  return record(found->second);
}

std::string_view TraceDecoder::interned(const std::unordered_map<std::uint64_t, std::string>& table,
                                        std::uint64_t iid) {
  const auto found = table.find(iid);
  if (found != table.end()) return found->second;
  skip("texts that are told by a number without one");
  return {};
}

void TraceDecoder::take_chrome_events(pbf_reader bundle) {
  while (bundle.next()) {
    if (bundle.tag() != f::chrome::kMetadata) {
      skip("events of Chrome's older traces, other than metadata");
      bundle.skip();
      continue;
    }
    std::string name, json;
    std::optional<ArgumentValue> value;
    pbf_reader metadata(bundle.get_view());
    while (metadata.next()) {
      if (metadata.tag() == f::chrome::kName) {
        name = to_text(metadata.get_view());
      } else if (metadata.tag() == f::chrome::kText) {
        value = strings_.add(to_text(metadata.get_view()));
      } else if (metadata.tag() == f::chrome::kBool) {
        value = std::int64_t{metadata.get_bool() ? 1 : 0};
      } else if (metadata.tag() == f::chrome::kInt) {
        value = metadata.get_int64();
      } else if (metadata.tag() == f::chrome::kJson) {
        json = to_text(metadata.get_view());
      } else {
        metadata.skip();
      }
    }
    if (!json.empty()) {
      take_fact(json);
    } else if (value) {
      facts_.push_back({0, {.subject = {}, .name = strings_.add(name), .value = *value, .unit = {}}});
    } else {
      skip("metadata without a value");
    }
  }
}

// A fact as the writer has it, or any other JSON.
void TraceDecoder::take_fact(const std::string& text) {
  const OwnJson json(text);
  const auto value = json.value("value", strings_);
  if (!value || !json.has("name")) return skip("metadata of another writer");
  is_of_vizd_ = true;
  if (const auto offset_ns = json.integer("value");
      offset_ns && !own_origin_ns_ && json.text("name") == fact::kTimeOffset_ns && is_possible_offset(*offset_ns))
    own_origin_ns_ = -*offset_ns;
  const auto times = std::max<std::int64_t>(1, json.integer("times").value_or(1));
  facts_.push_back({static_cast<std::uint64_t>(json.integer("track").value_or(0)),
                    {.subject = strings_.add(json.text("subject").value_or("")),
                     .name = strings_.add(json.text("name").value_or("")),
                     .value = *value,
                     .unit = strings_.add(json.text("unit").value_or("")),
                     .times = static_cast<std::uint32_t>(std::min<std::int64_t>(times, kNoId - 1))}});
}

}  // namespace vizd::perfetto
