// Descriptors: what packets say of tracks, processes and threads. Several of one track add up.
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
  read.is_counter = true;
  while (counter.next()) {
    if (counter.tag() == f::track::kCounterUnitName) {
      read.counter_unit = to_text(counter.get_view());
    } else if (counter.tag() == f::track::kCounterUnit) {
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
  if (TrackRecord* const of = record(read.uuid)) of->take(read);
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

}  // namespace vizd::perfetto
