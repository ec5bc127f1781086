// Descriptors: what packets say of tracks, processes and threads. Several of one track add up.
#include <fmt/format.h>

#include <string>

#include "formats/perfetto/fields.h"
#include "formats/perfetto/packet_fields.h"
#include "formats/perfetto/trace_decoder.h"

namespace vizd::perfetto {

namespace f = field;
using protozero::pbf_reader;

void TraceDecoder::read_process(pbf_reader process, TrackRecord& read) {
  while (process.next()) {
    if (process.tag() == f::track::kProcessPid) {
      read.pid = process.get_int32();
    } else if (process.tag() == f::track::kProcessName) {
      read.process_name = to_text(process.get_view());
    } else {
      process.skip();
    }
  }
}

void TraceDecoder::read_thread(pbf_reader thread, TrackRecord& read) {
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
}

void TraceDecoder::read_counter(pbf_reader counter, TrackRecord& read) {
  constexpr const char* kUnits[] = {"", "ns", "", "B"};
  constexpr const char* kNames[] = {"", "thread time", "thread instructions"};
  read.is_counter = true;
  while (counter.next()) {
    if (counter.tag() == f::track::kCounterUnitName) {
      read.counter_unit = to_text(counter.get_view());
    } else if (counter.tag() == f::track::kCounterUnit) {
      const auto unit = counter.get_enum();
      if (unit >= 0 && unit < 4 && read.counter_unit.empty()) read.counter_unit = kUnits[unit];
    } else if (counter.tag() == f::track::kCounterType) {
      const auto type = counter.get_enum();
      if (type == 1 && read.counter_unit.empty()) read.counter_unit = "ns";
      if (type > 0 && type < 3 && read.name.empty()) read.name = kNames[type];
    } else if (counter.tag() == f::track::kCounterMultiplier) {
      read.counter_multiplier = counter.get_int64();
    } else if (counter.tag() == f::track::kCounterIsIncremental) {
      read.is_incremental = counter.get_bool();
    } else {
      counter.skip();
    }
  }
}

void TraceDecoder::take_descriptor(pbf_reader descriptor, const PacketHead& head) {
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
      case f::track::kProcess:
        read_process(pbf_reader(descriptor.get_view()), read);
        break;
      case f::track::kThread:
        read_thread(pbf_reader(descriptor.get_view()), read);
        break;
      case f::track::kCounter:
        read_counter(pbf_reader(descriptor.get_view()), read);
        break;
      default:
        descriptor.skip();
    }
  }
  bare_descriptors_ += head.sequence == 0 ? 1 : -1;
  TrackRecord* const of = record(read.uuid);
  if (of == nullptr) return;
  of->take(read);
  if (!read.pid) return;
  const std::pair key(head.sequence, *read.pid);
  if (!read.tid) {
    processes_of_sequences_[key] = read.uuid;
    processes_[*read.pid] = read.uuid;
    first_processes_.try_emplace(*read.pid, read.uuid);
  } else if (of->process == 0 && of->parent == 0) {
    // A number of a process may be used again: whoever wrote the thread tells first, and then who had it last.
    const auto own = processes_of_sequences_.find(key);
    const auto last = processes_.find(*read.pid);
    of->process = own != processes_of_sequences_.end() ? own->second : last != processes_.end() ? last->second : 0;
  }
}

// The older way to say which thread a sequence's events are of, and from when its times count.
void TraceDecoder::take_thread_descriptor(pbf_reader descriptor, Sequence& sequence) {
  TrackRecord read;
  pbf_reader times = descriptor;
  read_thread(descriptor, read);
  while (times.next()) {
    if (times.tag() == f::track::kThreadReference_us) {
      sequence.legacy_us = times.get_int64();
    } else {
      times.skip();
    }
  }
  if (!read.pid || !read.tid) return skip("descriptors of threads without numbers");
  TrackRecord* const of = own_record(fmt::format("thread {} {}", *read.pid, *read.tid));
  if (of == nullptr) return;
  of->take(read);
  sequence.default_track = of->uuid;
}

// The last to say something counts.
void TraceDecoder::TrackRecord::take(const TrackRecord& said) {
  if (said.parent != 0 && said.parent != said.uuid) parent = said.parent;
  for (std::string TrackRecord::*text : {&TrackRecord::name, &TrackRecord::description, &TrackRecord::process_name,
                                         &TrackRecord::thread_name, &TrackRecord::counter_unit}) {
    if (!(said.*text).empty()) this->*text = said.*text;
  }
  if (said.pid) pid = said.pid;
  if (said.tid) tid = said.tid;
  if (said.sort) sort = said.sort;
  if (!said.is_counter) return;
  is_counter = true;
  counter_multiplier = said.counter_multiplier;
  is_incremental = said.is_incremental;
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
        // One for each word.
        const std::string word = to_text(entry.get_view());
        if (name.empty()) name = word;
      } else if (!is_process && entry.tag() == f::process_tree::kThreadName) {
        name = to_text(entry.get_view());
      } else {
        entry.skip();
      }
    }
    if (!name.empty()) (is_process ? process_names_ : thread_names_)[number] = std::move(name);
  }
}

}  // namespace vizd::perfetto
