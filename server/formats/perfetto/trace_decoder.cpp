#include "formats/perfetto/trace_decoder.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>

#include "formats/perfetto/fields.h"
#include "formats/perfetto/packet_stream.h"
#include "formats/unpack.h"
#include "model/trace_words.h"

namespace vizd::perfetto {
namespace {

namespace f = field;
using protozero::pbf_reader;
using protozero::pbf_wire_type;

constexpr std::int64_t kMostTime_ns = std::int64_t{1} << 58;
constexpr int kMostDepth = 16;  // of packed packets, and of annotations
constexpr std::uint32_t kNoClock = 0;
constexpr std::uint32_t kFirstSequenceClock = 64, kLastSequenceClock = 127;

std::string to_text(protozero::data_view view) { return {view.data(), view.size()}; }

std::string_view interned(const std::unordered_map<std::uint64_t, std::string>& table, std::uint64_t iid) {
  const auto found = table.find(iid);
  return found == table.end() ? std::string_view() : std::string_view(found->second);
}

// Calls visit(number) for each of a field that may be packed.
template <typename Visit>
void for_each_number(pbf_reader& message, bool is_fixed, Visit&& visit) {
  if (message.wire_type() == pbf_wire_type::length_delimited) {
    if (is_fixed) {
      for (const std::uint64_t number : message.get_packed_fixed64()) visit(number);
    } else {
      for (const std::uint64_t number : message.get_packed_uint64()) visit(number);
    }
  } else {
    visit(is_fixed ? message.get_fixed64() : message.get_uint64());
  }
}

}  // namespace

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

void TraceDecoder::take_clock_snapshot(pbf_reader snapshot, std::uint32_t sequence) {
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
  const auto boottime = std::ranges::find(readings, f::clock::kBoottime, &Reading::id);
  if (boottime == readings.end()) return;
  for (const Reading& reading : readings) {
    std::int64_t ns = 0, offset_ns = 0;
    if (__builtin_mul_overflow(reading.at, reading.multiplier_ns, &ns) ||
        __builtin_sub_overflow(boottime->at, ns, &offset_ns))
      continue;
    const ClockState state{offset_ns, reading.multiplier_ns, reading.is_incremental};
    if (reading.id >= kFirstSequenceClock && reading.id <= kLastSequenceClock) {
      sequence_clocks_[{sequence, reading.id}] = state;
      sequences_[sequence].incremental_ns[reading.id] = ns;
    } else {
      clocks_[reading.id] = state;
    }
    if (reading.id == f::clock::kRealtime && !unix_offset_ns_) unix_offset_ns_ = -offset_ns;
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
  if (!origin_ns_) origin_ns_ = at_ns > kMostTime_ns || at_ns < -kMostTime_ns ? at_ns : 0;
  if (__builtin_sub_overflow(at_ns, *origin_ns_, &at_ns)) return std::nullopt;
  return at_ns > -kMostTime_ns && at_ns < kMostTime_ns ? std::optional(at_ns) : std::nullopt;
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
  const auto json = nlohmann::json::parse(text, nullptr, false);
  const auto text_at = [&](const char* key) {
    const auto found = json.find(key);
    return found != json.end() && found->is_string() ? found->get<std::string>() : std::string();
  };
  if (!json.is_object() || !json.contains("value") || !json.contains("name")) return skip("metadata of another writer");
  const auto& value = json["value"];
  Fact fact{.subject = strings_.add(text_at("subject")),
            .name = strings_.add(text_at("name")),
            .value = {},
            .unit = strings_.add(text_at("unit"))};
  if (value.is_number_integer()) {
    fact.value = value.get<std::int64_t>();
  } else if (value.is_number()) {
    fact.value = value.get<double>();
  } else {
    fact.value = strings_.add(value.is_string() ? value.get<std::string>() : value.dump());
  }
  if (const auto times = json.find("times"); times != json.end() && times->is_number_unsigned())
    fact.times = std::max<std::uint32_t>(1, times->get<std::uint32_t>());
  const auto track = json.find("track");
  facts_.push_back({track != json.end() && track->is_number_unsigned() ? track->get<std::uint64_t>() : 0, fact});
}

TraceDecoder::TrackRecord& TraceDecoder::cpu_record(std::uint32_t cpu) {
  // Beyond what writers choose at random hardly ever: uuids of theirs are 64 bits.
  TrackRecord& of_cpu = record(0xC9F0'0000'0000'0000u + cpu);
  if (of_cpu.name.empty()) {
    of_cpu.name = fmt::format("CPU {}", cpu);
    of_cpu.description = R"({"kind":"engine"})";
    of_cpu.sort = static_cast<std::int32_t>(cpu);
  }
  return of_cpu;
}

void TraceDecoder::take_switch(std::uint32_t cpu, std::int64_t at_ns, std::string_view name, std::int64_t pid,
                               std::int64_t priority) {
  last_ns_ = std::max(last_ns_, at_ns);
  TrackRecord& of_cpu = cpu_record(cpu);
  if (const auto running = running_.find(cpu); running != running_.end() && running->second.pid != 0) {
    const Running& was = running->second;
    const auto place = static_cast<std::uint32_t>(of_cpu.events.size());
    of_cpu.events.push_back(
        {.start_ns = was.since_ns, .name = strings_.add(was.name), .category = strings_.add("sched")});
    of_cpu.events.back().order = ++order_;
    of_cpu.values.push_back({{strings_.add("pid"), {}, was.pid}, {strings_.add("priority"), {}, was.priority}});
    of_cpu.marks.push_back({was.since_ns, Mark::Type::kBegin, place});
    of_cpu.marks.push_back({at_ns, Mark::Type::kEnd, 0});
  }
  running_[cpu] = {at_ns, std::string(name), pid, priority};
}

void TraceDecoder::take_ftrace(pbf_reader bundle) {
  std::uint32_t cpu = 0;
  std::vector<protozero::data_view> events;
  std::optional<protozero::data_view> compact;
  while (bundle.next()) {
    if (bundle.tag() == f::ftrace::kCpu) {
      cpu = bundle.get_uint32();
    } else if (bundle.tag() == f::ftrace::kEvent) {
      events.push_back(bundle.get_view());
    } else if (bundle.tag() == f::ftrace::kCompactSched) {
      compact = bundle.get_view();
    } else {
      bundle.skip();
    }
  }
  Sequence none;
  for (const protozero::data_view view : events) {
    pbf_reader event(view);
    std::optional<std::int64_t> at_ns;
    bool is_switch = false;
    std::string name;
    std::int64_t pid = 0, priority = 0;
    while (event.next()) {
      if (event.tag() == f::ftrace::kTimestamp) {
        at_ns = time_of(event.get_uint64(), f::clock::kBoottime, 0, none);
      } else if (event.tag() == f::ftrace::kSchedSwitch) {
        is_switch = true;
        pbf_reader of_switch(event.get_view());
        while (of_switch.next()) {
          if (of_switch.tag() == f::ftrace::kNextCommand) {
            name = to_text(of_switch.get_view());
          } else if (of_switch.tag() == f::ftrace::kNextPid) {
            pid = of_switch.get_int32();
          } else if (of_switch.tag() == f::ftrace::kNextPriority) {
            priority = of_switch.get_int32();
          } else {
            of_switch.skip();
          }
        }
      } else {
        event.skip();
      }
    }
    if (!is_switch || !at_ns) {
      skip("kernel events that are no switches of the scheduler");
    } else {
      take_switch(cpu, *at_ns, name, pid, priority);
    }
  }
  if (!compact) return;
  std::vector<std::uint64_t> times, name_places;
  std::vector<std::int64_t> pids, priorities;
  std::vector<std::string> names;
  pbf_reader sched(*compact);
  while (sched.next()) {
    const auto read = [&](auto& to) {
      for_each_number(sched, false,
                      [&](std::uint64_t number) { to.push_back(static_cast<std::decay_t<decltype(to[0])>>(number)); });
    };
    switch (sched.tag()) {
      case f::ftrace::kSwitchTimes:
        read(times);
        break;
      case f::ftrace::kSwitchNextPid:
        read(pids);
        break;
      case f::ftrace::kSwitchNextPriority:
        read(priorities);
        break;
      case f::ftrace::kSwitchNameIndex:
        read(name_places);
        break;
      case f::ftrace::kNames:
        names.push_back(to_text(sched.get_view()));
        break;
      default:
        sched.skip();
    }
  }
  std::uint64_t at = 0;
  for (std::size_t i = 0; i < times.size(); ++i) {
    at += times[i];
    const auto at_ns = time_of(at, f::clock::kBoottime, 0, none);
    if (!at_ns || i >= pids.size()) continue;
    const std::string name = i < name_places.size() && name_places[i] < names.size() ? names[name_places[i]] : "";
    take_switch(cpu, *at_ns, name, pids[i], i < priorities.size() ? priorities[i] : 0);
  }
}

void TraceDecoder::take_annotation(pbf_reader annotation, const std::string& prefix, const Sequence& sequence,
                                   std::vector<PlacedValue>& values, int depth) {
  if (depth > kMostDepth) return skip("annotations nested too deep");
  std::string name;
  std::optional<ArgumentValue> value;
  StringId unit{};
  std::vector<protozero::data_view> entries, elements;
  const auto add_json = [&](std::string_view json) {
    value = strings_.add(json);
    unit = strings_.add(argument::kJson);
  };
  while (annotation.next()) {
    switch (annotation.tag()) {
      case f::annotation::kName:
        name = to_text(annotation.get_view());
        break;
      case f::annotation::kNameIid:
        name = interned(sequence.annotation_names, annotation.get_uint64());
        break;
      case f::annotation::kBool:
        add_json(annotation.get_bool() ? "true" : "false");
        break;
      case f::annotation::kUint:
      case f::annotation::kPointer: {
        const std::uint64_t number = annotation.get_uint64();
        if (number <= static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) {
          value = static_cast<std::int64_t>(number);
        } else {
          add_json(fmt::format("{}", number));
        }
        break;
      }
      case f::annotation::kInt:
        value = annotation.get_int64();
        break;
      case f::annotation::kDouble:
        value = annotation.get_double();
        break;
      case f::annotation::kText:
        value = strings_.add(to_text(annotation.get_view()));
        break;
      case f::annotation::kTextIid:
        value = strings_.add(interned(sequence.annotation_texts, annotation.get_uint64()));
        break;
      case f::annotation::kJson:
        add_json(to_text(annotation.get_view()));
        break;
      case f::annotation::kDictEntries:
        entries.push_back(annotation.get_view());
        break;
      case f::annotation::kArrayValues:
        elements.push_back(annotation.get_view());
        break;
      default:
        annotation.skip();
    }
  }
  if (!prefix.empty() && !name.empty()) name = prefix + "." + name;
  if (name.empty()) name = prefix;
  if (value) values.push_back({strings_.add(name), unit, *value});
  for (const protozero::data_view entry : entries)
    take_annotation(pbf_reader(entry), name, sequence, values, depth + 1);
  for (std::size_t i = 0; i < elements.size(); ++i)
    take_annotation(pbf_reader(elements[i]), fmt::format("{}[{}]", name, i), sequence, values, depth + 1);
}

void TraceDecoder::take_event(pbf_reader event, std::optional<std::int64_t> at_ns, Sequence& sequence) {
  std::uint32_t type = 0;
  std::uint64_t uuid = sequence.default_track;
  std::string name, category;
  std::optional<double> number;
  std::vector<PlacedValue> values;
  std::vector<std::pair<std::uint64_t, bool>> flows;  // and whether they end here
  char phase = '\0';
  std::int64_t dur_us = 0;
  std::optional<std::uint64_t> id;
  bool is_of_enclosing = false;
  const auto add_category = [&](std::string_view text) {
    if (!category.empty()) category += ',';
    category += text;
  };
  while (event.next()) {
    switch (event.tag()) {
      case f::event::kType:
        type = event.get_uint32();
        break;
      case f::event::kTrack:
        uuid = event.get_uint64();
        break;
      case f::event::kName:
        name = to_text(event.get_view());
        break;
      case f::event::kNameIid:
        name = interned(sequence.names, event.get_uint64());
        break;
      case f::event::kCategories:
        add_category(to_text(event.get_view()));
        break;
      case f::event::kCategoryIids:
        for_each_number(event, false, [&](std::uint64_t iid) { add_category(interned(sequence.categories, iid)); });
        break;
      case f::event::kCounterValue:
        number = static_cast<double>(event.get_int64());
        break;
      case f::event::kDoubleCounterValue:
        number = event.get_double();
        break;
      case f::event::kAnnotation:
        take_annotation(pbf_reader(event.get_view()), "", sequence, values, 0);
        break;
      case f::event::kFlowIds:
      case f::event::kOldFlowIds:
        for_each_number(event, event.tag() == f::event::kFlowIds,
                        [&](std::uint64_t flow) { flows.emplace_back(flow, false); });
        break;
      case f::event::kTerminatingFlowIds:
      case f::event::kOldTerminatingFlowIds:
        for_each_number(event, event.tag() == f::event::kTerminatingFlowIds,
                        [&](std::uint64_t flow) { flows.emplace_back(flow, true); });
        break;
      case f::event::kAbsoluteTime_us:
        sequence.legacy_us = event.get_int64();
        at_ns = time_of(static_cast<std::uint64_t>(sequence.legacy_us) * 1000, f::clock::kBoottime, 0, sequence);
        break;
      case f::event::kDeltaTime_us:
        sequence.legacy_us += event.get_int64();
        at_ns = time_of(static_cast<std::uint64_t>(sequence.legacy_us) * 1000, f::clock::kBoottime, 0, sequence);
        break;
      case f::event::kLegacy: {
        pbf_reader legacy(event.get_view());
        while (legacy.next()) {
          if (legacy.tag() == f::legacy::kPhase) {
            phase = static_cast<char>(legacy.get_int32());
          } else if (legacy.tag() == f::legacy::kDuration_us) {
            dur_us = legacy.get_int64();
          } else if (legacy.tag() == f::legacy::kNameIid) {
            name = interned(sequence.names, legacy.get_uint64());
          } else if (legacy.tag() == f::legacy::kUnscopedId || legacy.tag() == f::legacy::kLocalId ||
                     legacy.tag() == f::legacy::kGlobalId) {
            id = legacy.get_uint64();
          } else if (legacy.tag() == f::legacy::kBindToEnclosing) {
            is_of_enclosing = legacy.get_bool();
          } else {
            legacy.skip();
          }
        }
        break;
      }
      default:
        event.skip();
    }
  }
  if (!at_ns) return skip("track events without a usable time");
  last_ns_ = std::max(last_ns_, *at_ns);
  TrackRecord& to = record(uuid);
  const StringId name_id = strings_.add(name), category_id = strings_.add(category);
  if (type == f::event::kCounter || (type == 0 && number)) {
    if (!number) return skip("counter events without a number");
    const double value = *number * static_cast<double>(to.counter_multiplier);
    to.last_value = to.is_incremental ? to.last_value + value : value;
    to.is_counter = true;
    to.counter.at_ns.push_back(*at_ns);
    to.counter.value.push_back(to.last_value);
    return;
  }
  if (phase == 's' || phase == 't' || phase == 'f') {
    FlowEnd end{.at_ns = *at_ns, .category = category_id};
    end.kind = phase == 's' ? FlowEnd::Kind::kStart : phase == 't' ? FlowEnd::Kind::kStep : FlowEnd::Kind::kFinish;
    end.is_of_enclosing = is_of_enclosing || phase != 'f';
    end.id = static_cast<std::int64_t>(id.value_or(0));
    if (!id) end.id_type = FlowEnd::IdType::kNone;
    for (const PlacedValue& value : values) {
      if (strings_.get(value.name) != trace::kId || !std::holds_alternative<StringId>(value.value)) continue;
      end.id_type = FlowEnd::IdType::kText;
      end.id = static_cast<std::int64_t>(index(std::get<StringId>(value.value)));
    }
    flow_ends_.push_back({&to, end});
    return;
  }
  if (type == f::event::kEnd || (type == 0 && phase == 'E')) {
    std::uint32_t place = 0;
    if (!values.empty()) {
      to.end_values.push_back(std::move(values));
      place = static_cast<std::uint32_t>(to.end_values.size());
    }
    to.marks.push_back({*at_ns, Mark::Type::kEnd, place});
    return;
  }
  const auto place = static_cast<std::uint32_t>(to.events.size());
  Event added{.start_ns = *at_ns, .name = name_id, .category = category_id};
  added.order = ++order_;
  std::erase_if(values, [&](const PlacedValue& value) {
    const std::string_view flag = strings_.get(value.name);
    if (flag == trace::kAsynchronous) added.kind = EventKind::kAsynchronous;
    if (flag == trace::kError) added.is_error = true;
    return flag == trace::kAsynchronous || flag == trace::kError;
  });
  if (type == f::event::kBegin || (type == 0 && (phase == 'B' || phase == 'X'))) {
    to.marks.push_back({*at_ns, Mark::Type::kBegin, place});
    if (phase == 'X')
      to.marks.push_back(
          {*at_ns + std::clamp<std::int64_t>(dur_us, 0, kMostTime_ns / 1000) * 1000, Mark::Type::kEnd, 0});
  } else {
    added.kind = EventKind::kInstant;
    to.marks.push_back({*at_ns, Mark::Type::kInstant, place});
    if (type != f::event::kInstant && phase != 'i' && phase != 'I')
      skip(fmt::format("track events of a kind that vizd does not know, shown as instants ({})",
                       phase != '\0' ? std::string(1, phase) : std::to_string(type)));
  }
  to.events.push_back(added);
  to.values.push_back(std::move(values));
  for (const auto& [flow, is_end] : flows) flows_.push_back({flow, *at_ns, &to, place, is_end});
}

void TraceDecoder::apply_description(const TrackRecord& of, Track& track) {
  const auto json = nlohmann::json::parse(of.description, nullptr, false);
  if (!json.is_object()) return;
  if (const auto kind = json.find("kind"); kind != json.end() && kind->is_string())
    track.kind = track_kind(kind->get<std::string>());
  const auto number = json.find("number");
  if (number == json.end()) return;
  if (number->is_number_integer()) track.number = number->get<std::int64_t>();
  if (number->is_string()) track.number = strings_.add(number->get<std::string>());
}

void TraceDecoder::place(TrackRecord& of) {
  // From the one that is to be placed up to one that is, or has no parent; a circle ends where it closes.
  std::vector<TrackRecord*> path{&of};
  of.is_placed = true;
  while (path.back()->parent != 0) {
    TrackRecord& above = record(path.back()->parent);
    if (above.is_placed) break;
    above.is_placed = true;
    path.push_back(&above);
  }
  for (auto at = path.rbegin(); at != path.rend(); ++at) {
    TrackRecord& next = **at;
    std::uint32_t parent = Track::kNoParent;
    if (next.parent != 0) parent = record(next.parent).track;
    // A thread whose process has a track hangs on it.
    if (parent == Track::kNoParent && next.tid && next.pid) {
      for (const TrackRecord& process : records_) {
        if (process.track != kNoId && process.pid == next.pid && !process.tid) parent = process.track;
      }
    }
    place_under(next, parent);
  }
}

void TraceDecoder::place_under(TrackRecord& of, std::uint32_t parent) {
  std::vector<Track>& tracks = capture_.profile.tracks;
  // Slices that overlap were written beside their track, and a counter is its track's.
  if (parent != Track::kNoParent &&
      (of.description == R"({"kind":"overlapping"})" || (of.is_counter && of.events.empty()))) {
    of.track = parent;
    return;
  }
  std::string name = of.name;
  const auto known = [](const std::map<std::int32_t, std::string>& names, std::int32_t number) {
    const auto found = names.find(number);
    return found == names.end() ? std::string() : found->second;
  };
  if (name.empty()) name = of.tid ? of.thread_name : of.process_name;
  if (name.empty() && of.tid) name = known(thread_names_, *of.tid);
  if (name.empty() && of.tid) name = fmt::format("thread {}", *of.tid);
  if (name.empty() && of.pid) name = known(process_names_, *of.pid);
  if (name.empty() && of.pid) name = fmt::format("process {}", *of.pid);
  if (name.empty()) name = of.uuid == 0 ? "events without a track" : fmt::format("track {}", of.uuid);
  of.track = static_cast<std::uint32_t>(tracks.size());
  Track& track = tracks.emplace_back();
  track.name = strings_.add(name);
  track.parent = parent;
  track.kind = of.tid ? TrackKind::kThread : of.pid ? TrackKind::kProcess : TrackKind::kOther;
  if (of.tid || of.pid) track.number = std::int64_t{of.tid ? *of.tid : *of.pid};
  track.sort = of.sort.value_or(0);
  apply_description(of, track);
}

ArgumentColumn& TraceDecoder::argument_column(std::uint32_t track, const PlacedValue& value) {
  std::vector<ArgumentColumn>& columns = capture_.profile.tracks[track].arguments;
  const ArgumentType type = type_of(value.value);
  // Events of one sort have the same arguments in the same order.
  if (next_argument_ < columns.size()) {
    ArgumentColumn& next = columns[next_argument_];
    if (next.name == value.name && next.unit == value.unit && next.type == type) return ++next_argument_, next;
  }
  const auto [found, is_new] = argument_places_.try_emplace({track, value.name, value.unit, type}, columns.size());
  if (is_new) {
    ArgumentColumn& added = columns.emplace_back();
    added.name = value.name;
    added.unit = value.unit;
    added.type = type;
  }
  next_argument_ = found->second + 1;
  return columns[found->second];
}

void TraceDecoder::add_arguments(std::uint32_t track, std::uint32_t event, const std::vector<PlacedValue>& values) {
  next_argument_ = 0;
  for (const PlacedValue& value : values) argument_column(track, value).push_back(event, value.value);
}

void TraceDecoder::fill(TrackRecord& of) {
  Track& track = capture_.profile.tracks[of.track];
  std::ranges::stable_sort(of.marks, {}, &Mark::at_ns);
  std::vector<std::uint32_t> open;
  for (const Mark& mark : of.marks) {
    if (mark.type == Mark::Type::kBegin) open.push_back(mark.place);
    if (mark.type != Mark::Type::kEnd) continue;
    if (open.empty()) {
      skip("ends of slices that had not begun");
      continue;
    }
    Event& ended = of.events[open.back()];
    ended.dur_ns = mark.at_ns - ended.start_ns;
    if (mark.place != 0) {
      auto& values = of.values[open.back()];
      values.insert(values.end(), of.end_values[mark.place - 1].begin(), of.end_values[mark.place - 1].end());
    }
    open.pop_back();
  }
  for (const std::uint32_t place : open) {
    of.events[place].kind = EventKind::kUnfinished;
    of.events[place].dur_ns = std::max<std::int64_t>(last_ns_ - of.events[place].start_ns, 0);
  }
  const auto first = static_cast<std::uint32_t>(track.events.size());
  for (std::size_t i = 0; i < of.events.size(); ++i) {
    track.events.push_back(of.events[i]);
    add_arguments(of.track, first + static_cast<std::uint32_t>(i), of.values[i]);
  }
  of.first_event = first;
  of.marks = {};
  of.events = {};
  of.values = {};
  if (of.counter.at_ns.empty()) return;
  of.counter.name = strings_.add(of.name.empty() ? "counter" : of.name);
  of.counter.unit = strings_.add(of.counter_unit);
  const auto json = nlohmann::json::parse(of.description, nullptr, false);
  const auto take = [&](const char* key, StringId& to) {
    if (json.is_object() && json.contains(key) && json[key].is_string())
      to = strings_.add(json[key].get<std::string>());
  };
  take("counter", of.counter.name);
  take("series", of.counter.series);
  take("category", of.counter.category);
  track.counters.push_back(std::move(of.counter));
}

void TraceDecoder::add_flows() {
  Profile& profile = capture_.profile;
  // A flow goes from each event that has its number to the next that has.
  std::ranges::stable_sort(flows_, {}, [](const FlowMark& mark) { return std::pair(mark.id, mark.at_ns); });
  const FlowMark* last = nullptr;
  for (const FlowMark& mark : flows_) {
    if (last != nullptr && last->id == mark.id)
      profile.flows.push_back({last->record->track, last->record->first_event + last->event, mark.record->track,
                               mark.record->first_event + mark.event});
    last = mark.is_end ? nullptr : &mark;
  }
}

void TraceDecoder::finish() {
  for (auto& [cpu, running] : running_) {
    if (running.pid != 0) take_switch(cpu, last_ns_, "", 0, 0);
  }
  // Processes before the threads that hang on them.
  for (const bool is_process : {true, false}) {
    for (std::size_t i = 0; i < records_.size(); ++i) {
      if (!records_[i].is_placed && (records_[i].pid && !records_[i].tid) == is_process) place(records_[i]);
    }
  }
  for (TrackRecord& of : records_) fill(of);
  add_flows();
  for (LegacyFlowEnd& legacy : flow_ends_) {
    legacy.end.track = legacy.record->track;
    capture_.profile.flow_ends.push_back(legacy.end);
  }
  for (PendingFact& pending : facts_) {
    const auto found = places_.find(pending.track);
    if (pending.track != 0 && found != places_.end()) pending.fact.track = records_[found->second].track;
    if (strings_.get(pending.fact.name) == trace::kTimeOffset_ns) {
      if (auto* const offset_ns = std::get_if<std::int64_t>(&pending.fact.value)) *offset_ns += origin_ns_.value_or(0);
    }
    capture_.facts.push_back(pending.fact);
  }
  if (unix_offset_ns_) capture_.profile.clock.unix_offset_ns = *unix_offset_ns_ + origin_ns_.value_or(0);
}

}  // namespace vizd::perfetto
