#include "formats/perfetto/trace_decoder.h"

#include <fmt/format.h>

#include <algorithm>

#include "formats/perfetto/fields.h"
#include "formats/perfetto/own_json.h"
#include "formats/perfetto/packet_fields.h"
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

void TraceDecoder::take_packet(pbf_reader packet, int depth) {
  std::optional<std::uint64_t> timestamp;
  std::uint32_t clock = kNoClock, sequence_number = 0, flags = 0;
  bool is_cleared = false;
  std::vector<std::pair<Field, protozero::data_view>> parts;
  while (packet.next()) {
    const Field number = packet.tag();
    const bool is_bytes = packet.wire_type() == pbf_wire_type::length_delimited;
    if (number == f::packet::kTimestamp && !is_bytes) {
      timestamp = packet.get_uint64();
    } else if (number == f::packet::kTimestampClock && !is_bytes) {
      clock = packet.get_uint32();
    } else if (number == f::packet::kSequence && !is_bytes) {
      sequence_number = packet.get_uint32();
    } else if (number == f::packet::kSequenceFlags && !is_bytes) {
      flags = packet.get_uint32();
    } else if (number == f::packet::kStateCleared && !is_bytes) {
      is_cleared = packet.get_bool();
    } else if (is_bytes) {
      parts.emplace_back(number, packet.get_view());
    } else {
      packet.skip();
    }
  }
  Sequence& sequence = sequences_[sequence_number];
  if (is_cleared || (flags & f::packet::kFlagStateCleared) != 0) sequence = {};
  for (const auto& [number, view] : parts) {
    if (number == f::packet::kInternedData) take_interned(pbf_reader(view), sequence);
    if (number != f::packet::kDefaults) continue;
    pbf_reader defaults(view);
    while (defaults.next()) {
      if (defaults.tag() == f::defaults::kTimestampClock) {
        sequence.default_clock = defaults.get_uint32();
      } else if (defaults.tag() == f::defaults::kTrackEvent) {
        pbf_reader of_event(defaults.get_view());
        while (of_event.next(f::defaults::kTrack)) sequence.default_track = of_event.get_uint64();
      } else {
        defaults.skip();
      }
    }
  }
  std::optional<std::int64_t> at_ns;
  if (timestamp)
    at_ns = time_of(*timestamp, clock != kNoClock ? clock : sequence.default_clock, sequence_number, sequence);
  for (const auto& [number, view] : parts) {
    switch (number) {
      case f::packet::kTrackEvent:
        take_event(pbf_reader(view), at_ns, sequence);
        break;
      case f::packet::kTrackDescriptor:
        take_descriptor(pbf_reader(view));
        break;
      case f::packet::kClockSnapshot:
        take_clock_snapshot(pbf_reader(view), sequence_number);
        break;
      case f::packet::kProcessTree:
        take_process_tree(pbf_reader(view));
        break;
      case f::packet::kChromeEvents:
        take_chrome_events(pbf_reader(view));
        break;
      case f::packet::kFtraceEvents:
        take_ftrace(pbf_reader(view));
        break;
      case f::packet::kCompressedPackets:
      case f::packet::kZstdPackets:
        take_packed({view.data(), view.size()}, depth);
        break;
      case f::packet::kInternedData:
      case f::packet::kDefaults:
        break;
      default:
        skip(fmt::format("packets of a kind that vizd does not draw (field {})", number));
    }
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
  packets.feed(*unpacked);
}

void TraceDecoder::take_interned(pbf_reader data, Sequence& sequence) {
  while (data.next()) {
    auto* const table = data.tag() == f::interned::kCategories        ? &sequence.categories
                        : data.tag() == f::interned::kEventNames      ? &sequence.names
                        : data.tag() == f::interned::kAnnotationNames ? &sequence.annotation_names
                        : data.tag() == f::interned::kAnnotationTexts ? &sequence.annotation_texts
                                                                      : nullptr;
    if (table == nullptr || data.wire_type() != pbf_wire_type::length_delimited) {
      data.skip();
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

TraceDecoder::TrackRecord& TraceDecoder::record(std::uint64_t uuid) {
  const auto [found, is_new] = places_.try_emplace(uuid, records_.size());
  if (is_new) records_.emplace_back().uuid = uuid;
  return records_[found->second];
}

void TraceDecoder::take_descriptor(pbf_reader descriptor) {
  TrackRecord read;
  while (descriptor.next()) {
    switch (descriptor.tag()) {
      case f::track::kUuid:
        read.uuid = descriptor.get_uint64();
        break;
      case f::track::kParent:
        read.parent = descriptor.get_uint64();
        break;
      case f::track::kName:
      case f::track::kStaticName:
      case f::track::kAtraceName:
        read.name = to_text(descriptor.get_view());
        break;
      case f::track::kDescription:
        read.description = to_text(descriptor.get_view());
        break;
      case f::track::kSiblingRank:
        read.sort = descriptor.get_int32();
        break;
      case f::track::kProcess: {
        pbf_reader process(descriptor.get_view());
        while (process.next()) {
          if (process.tag() == f::track::kProcessPid) {
            read.pid = process.get_int32();
          } else if (process.tag() == f::track::kProcessName) {
            read.process_name = to_text(process.get_view());
          } else {
            process.skip();
          }
        }
        break;
      }
      case f::track::kThread: {
        pbf_reader thread(descriptor.get_view());
        while (thread.next()) {
          if (thread.tag() == f::track::kThreadPid) {
            read.pid = thread.get_int32();
          } else if (thread.tag() == f::track::kThreadTid) {
            read.tid = thread.get_int32();
          } else if (thread.tag() == f::track::kThreadName) {
            read.thread_name = to_text(thread.get_view());
          } else {
            thread.skip();
          }
        }
        break;
      }
      case f::track::kCounter: {
        read.is_counter = true;
        pbf_reader counter(descriptor.get_view());
        while (counter.next()) {
          if (counter.tag() == f::track::kCounterUnitName) {
            read.counter_unit = to_text(counter.get_view());
          } else if (counter.tag() == f::track::kCounterUnit) {
            constexpr const char* kUnits[] = {"", "ns", "", "B"};
            const auto unit = counter.get_enum();
            if (unit >= 0 && unit < 4 && read.counter_unit.empty()) read.counter_unit = kUnits[unit];
          } else if (counter.tag() == f::track::kCounterMultiplier) {
            read.counter_multiplier = counter.get_int64();
          } else if (counter.tag() == f::track::kCounterIsIncremental) {
            read.is_incremental = counter.get_bool();
          } else {
            counter.skip();
          }
        }
        break;
      }
      default:
        descriptor.skip();
    }
  }
  // Several descriptors of one track add up; what the last says counts.
  TrackRecord& known = record(read.uuid);
  if (read.parent != 0 && read.parent != read.uuid) known.parent = read.parent;
  for (std::string TrackRecord::*text : {&TrackRecord::name, &TrackRecord::description, &TrackRecord::process_name,
                                         &TrackRecord::thread_name, &TrackRecord::counter_unit}) {
    if (!(read.*text).empty()) known.*text = read.*text;
  }
  if (read.pid) known.pid = read.pid;
  if (read.tid) known.tid = read.tid;
  if (read.sort) known.sort = read.sort;
  if (!read.is_counter) return;
  known.is_counter = true;
  known.counter_multiplier = read.counter_multiplier;
  known.is_incremental = read.is_incremental;
}

void TraceDecoder::take_process_tree(pbf_reader tree) {
  while (tree.next()) {
    if (tree.tag() != f::process_tree::kProcesses && tree.tag() != f::process_tree::kThreads) {
      tree.skip();
      continue;
    }
    const bool is_process = tree.tag() == f::process_tree::kProcesses;
    std::int32_t number = 0;
    std::string name;
    pbf_reader entry(tree.get_view());
    while (entry.next()) {
      if (entry.tag() == 1) {
        number = entry.get_int32();
      } else if (is_process && entry.tag() == f::process_tree::kCommandLine) {
        if (name.empty()) name = to_text(entry.get_view());
      } else if (!is_process && entry.tag() == f::process_tree::kThreadName) {
        name = to_text(entry.get_view());
      } else {
        entry.skip();
      }
    }
    if (!name.empty()) (is_process ? process_names_ : thread_names_)[number] = std::move(name);
  }
}

void TraceDecoder::take_chrome_events(pbf_reader bundle) {
  while (bundle.next()) {
    if (bundle.tag() != f::chrome::kMetadata) {
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
    }
  }
}

// A fact as the writer has it, or any other JSON.
void TraceDecoder::take_fact(const std::string& text) {
  const OwnJson json(text);
  const auto value = json.value("value", strings_);
  if (!value || !json.has("name")) return skip("metadata of another writer");
  const auto times = std::max<std::int64_t>(1, json.integer("times").value_or(1));
  facts_.push_back({static_cast<std::uint64_t>(json.integer("track").value_or(0)),
                    {.subject = strings_.add(json.text("subject").value_or("")),
                     .name = strings_.add(json.text("name").value_or("")),
                     .value = *value,
                     .unit = strings_.add(json.text("unit").value_or("")),
                     .times = static_cast<std::uint32_t>(std::min<std::int64_t>(times, kNoId - 1))}});
}

}  // namespace vizd::perfetto
