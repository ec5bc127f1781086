// Buffers in which each thread that records with CaptureWriter (capture_writer.h) keeps its records until they are
// written. Only then the writer's own thread turns them into columns. C++17 and zstd.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <mutex>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "vizd/capture_format.h"

namespace vizd::capture {

struct OpRecord {
  std::uint32_t number = 0, kind = 0, source_count = 0, dtype = 0, argument = 0, tag = 0, shape = 0, label = 0,
                text = 0, context = 0, flags = 0;
  std::uint64_t identity = 0;
};
struct MatchRecord {
  std::uint32_t pass, before, after, rule;
  float seconds;
};
struct EventRecord {
  std::int64_t start_ns, dur_ns;
  std::uint32_t track, name, context, category, argument_count;
  std::uint8_t kind, flags;
};
// An argument of an event. bits: an int64, the bits of a double, or a text's number.
struct ArgumentRecord {
  std::uint64_t bits;
  std::uint32_t argument;
  bool is_real;
};
struct RunRecord {
  std::int64_t number, from_ns, to_ns;
  std::uint32_t track, kind, name;
};
struct FactRecord {
  std::int64_t integer;
  double real;
  std::uint32_t subject, name, unit, type;
};
struct OpValueRecord {
  double value;
  std::uint32_t measure, op;
};
struct StackSampleRecord {
  std::int64_t at_ns;
  double weight;
  std::uint32_t track, stack;
};
struct SampleRecord {
  std::int64_t at_ns;
  double value;
  std::uint32_t counter;
};
struct MemoryRecord {
  std::int64_t at_ns;
  std::uint64_t key, size_bytes, address;
  std::uint32_t track, what, category, context, flags;
  bool is_free;
};
struct MarkerRecord {
  std::int64_t at_ns;
  std::uint32_t name, colour;
};
struct FlowRecord {
  std::int64_t from_ns, to_ns;
  std::uint32_t from_track, to_track;
};

// Adds a column for each field of records: fields(column number, pointer to member, coding).
template <typename Record>
class RecordColumns {
 public:
  RecordColumns(ChunkBuilder& chunk, const Record* records, std::size_t count)
      : chunk_(chunk), records_(records), count_(count) {}

  template <typename Field>
  RecordColumns& add(std::uint16_t number, Field Record::*field, Coding coding = Coding::kPlain) {
    chunk_.integers(
        number, count_, [&](std::size_t i) { return records_[i].*field; }, coding);
    return *this;
  }
  template <typename Field>
  RecordColumns& add_reals(std::uint16_t number, Field Record::*field) {
    chunk_.reals(number, count_, [&](std::size_t i) { return records_[i].*field; });
    return *this;
  }

 private:
  ChunkBuilder& chunk_;
  const Record* records_;
  std::size_t count_;
};

// Calls fill(columns, chunk, first, count) for each part of the records that makes a chunk, and write with the chunk.
template <typename Record, typename Fill, typename Write>
void write_records(ChunkType type, const std::vector<Record>& records, Packer& packer, const Write& write,
                   const Fill& fill) {
  for (std::size_t first = 0; first < records.size(); first += kWrittenRecords) {
    const std::size_t left = records.size() - first;
    const std::size_t count = left < kWrittenRecords ? left : kWrittenRecords;
    ChunkBuilder chunk(type, count);
    RecordColumns<Record> columns(chunk, records.data() + first, count);
    fill(columns, chunk, first, count);
    write(chunk.finish(packer));
  }
}

// The records of one thread.
struct Records {
  std::vector<OpRecord> ops;
  std::vector<std::uint32_t> sources;  // of the ops, one op after another
  std::vector<MatchRecord> matches;
  std::vector<EventRecord> events;
  std::vector<ArgumentRecord> arguments;  // of the events, one event after another
  std::vector<SampleRecord> samples;
  std::vector<MemoryRecord> memory;
  std::vector<MarkerRecord> markers;
  std::vector<FlowRecord> flows;
  std::vector<RunRecord> runs;
  std::vector<FactRecord> facts;
  std::vector<OpValueRecord> op_values;
  std::vector<StackSampleRecord> stack_samples;

  // Writes all of it and forgets it, but keeps its room.
  template <typename Write>
  void write(Packer& packer, const Write& write) {
    write_ops(packer, write);
    const Coding differences = Coding::kDifferences;
    write_records(ChunkType::kMatches, matches, packer, write, [&](auto& columns, auto&, std::size_t, std::size_t) {
      using Column = column::Matches;
      columns.add(Column::kPass, &MatchRecord::pass, differences)
          .add(Column::kBefore, &MatchRecord::before, differences);
      columns.add(Column::kAfter, &MatchRecord::after, differences).add(Column::kRule, &MatchRecord::rule);
      columns.add_reals(Column::kSeconds, &MatchRecord::seconds);
    });
    write_events(packer, write);
    write_records(ChunkType::kSamples, samples, packer, write, [&](auto& columns, auto&, std::size_t, std::size_t) {
      using Column = column::Samples;
      columns.add(Column::kCounter, &SampleRecord::counter).add(Column::kAt, &SampleRecord::at_ns, differences);
      columns.add_reals(Column::kValue, &SampleRecord::value);
    });
    write_memory(packer, write);
    write_records(ChunkType::kMarkers, markers, packer, write, [&](auto& columns, auto&, std::size_t, std::size_t) {
      using Column = column::Markers;
      columns.add(Column::kAt, &MarkerRecord::at_ns, differences).add(Column::kName, &MarkerRecord::name);
      columns.add(Column::kColour, &MarkerRecord::colour);
    });
    write_records(ChunkType::kFlows, flows, packer, write, [&](auto& columns, auto&, std::size_t, std::size_t) {
      using Column = column::Flows;
      columns.add(Column::kFromLane, &FlowRecord::from_track).add(Column::kToLane, &FlowRecord::to_track);
      columns.add(Column::kFrom, &FlowRecord::from_ns, differences).add(Column::kTo, &FlowRecord::to_ns, differences);
    });
    write_runs_and_facts(packer, write);
    clear();
  }

  void clear() {
    ops.clear();
    sources.clear();
    matches.clear();
    events.clear();
    arguments.clear();
    samples.clear();
    memory.clear();
    markers.clear();
    flows.clear();
    runs.clear();
    facts.clear();
    op_values.clear();
    stack_samples.clear();
  }

 private:
  template <typename Write>
  void write_ops(Packer& packer, const Write& write) {
    std::size_t next_source = 0;
    write_records(ChunkType::kOps, ops, packer, write,
                  [&](auto& columns, ChunkBuilder& chunk, std::size_t first, std::size_t count) {
                    using Column = column::Ops;
                    columns.add(Column::kNumber, &OpRecord::number, Coding::kDifferences);
                    columns.add(Column::kKind, &OpRecord::kind).add(Column::kSourceCount, &OpRecord::source_count);
                    std::vector<std::int64_t> distances;
                    for (std::size_t i = first; i < first + count; ++i) {
                      for (std::uint32_t port = 0; port < ops[i].source_count; ++port) {
                        distances.push_back(std::int64_t{ops[i].number} - std::int64_t{sources[next_source++]});
                      }
                    }
                    chunk.integers(Column::kSource, distances.size(), [&](std::size_t i) { return distances[i]; });
                    columns.add(Column::kDtype, &OpRecord::dtype).add(Column::kArgument, &OpRecord::argument);
                    columns.add(Column::kTag, &OpRecord::tag).add(Column::kShape, &OpRecord::shape);
                    columns.add(Column::kLabel, &OpRecord::label).add(Column::kText, &OpRecord::text);
                    columns.add(Column::kIdentity, &OpRecord::identity).add(Column::kContext, &OpRecord::context);
                    columns.add(Column::kFlags, &OpRecord::flags);
                  });
  }

  template <typename Write>
  void write_events(Packer& packer, const Write& write) {
    std::size_t next_argument = 0;
    write_records(ChunkType::kEvents, events, packer, write,
                  [&](auto& columns, ChunkBuilder& chunk, std::size_t first, std::size_t count) {
                    using Column = column::Events;
                    columns.add(Column::kLane, &EventRecord::track);
                    columns.add(Column::kStart, &EventRecord::start_ns, Coding::kDifferences);
                    columns.add(Column::kDuration, &EventRecord::dur_ns).add(Column::kName, &EventRecord::name);
                    columns.add(Column::kContext, &EventRecord::context).add(Column::kKind, &EventRecord::kind);
                    columns.add(Column::kCategory, &EventRecord::category).add(Column::kFlags, &EventRecord::flags);
                    columns.add(Column::kArgumentCount, &EventRecord::argument_count);
                    std::size_t argument_count = 0;
                    for (std::size_t i = first; i < first + count; ++i) argument_count += events[i].argument_count;
                    if (argument_count != 0) add_arguments(chunk, arguments.data() + next_argument, argument_count);
                    next_argument += argument_count;
                  });
  }

  static void add_arguments(ChunkBuilder& chunk, const ArgumentRecord* records, std::size_t count) {
    using Column = column::Events;
    chunk.integers(Column::kArgument, count, [&](std::size_t i) { return records[i].argument; });
    chunk.integers(Column::kInteger, count, [&](std::size_t i) { return records[i].is_real ? 0 : records[i].bits; });
    bool has_reals = false;
    for (std::size_t i = 0; i < count; ++i) has_reals = has_reals || records[i].is_real;
    if (!has_reals) return;
    chunk.reals(Column::kReal, count, [&](std::size_t i) {
      double real = 0;
      if (records[i].is_real) std::memcpy(&real, &records[i].bits, sizeof real);
      return real;
    });
  }

  template <typename Write>
  void write_runs_and_facts(Packer& packer, const Write& write) {
    write_records(ChunkType::kRuns, runs, packer, write, [&](auto& columns, auto&, std::size_t, std::size_t) {
      using Column = column::Runs;
      columns.add(Column::kTrack, &RunRecord::track).add(Column::kKind, &RunRecord::kind);
      columns.add(Column::kName, &RunRecord::name).add(Column::kNumber, &RunRecord::number);
      columns.add(Column::kFrom, &RunRecord::from_ns).add(Column::kTo, &RunRecord::to_ns);
    });
    write_records(ChunkType::kCaptureFacts, facts, packer, write, [&](auto& columns, auto&, std::size_t, std::size_t) {
      using Column = column::CaptureFacts;
      columns.add(Column::kSubject, &FactRecord::subject).add(Column::kName, &FactRecord::name);
      columns.add(Column::kUnit, &FactRecord::unit).add(Column::kType, &FactRecord::type);
      columns.add(Column::kInteger, &FactRecord::integer).add_reals(Column::kReal, &FactRecord::real);
    });
    write_records(ChunkType::kOpValues, op_values, packer, write, [&](auto& columns, auto&, std::size_t, std::size_t) {
      using Column = column::OpValues;
      columns.add(Column::kMeasure, &OpValueRecord::measure).add(Column::kOp, &OpValueRecord::op);
      columns.add_reals(Column::kValue, &OpValueRecord::value);
    });
    write_records(
        ChunkType::kStackSamples, stack_samples, packer, write, [&](auto& columns, auto&, std::size_t, std::size_t) {
          using Column = column::StackSamples;
          columns.add(Column::kTrack, &StackSampleRecord::track);
          columns.add(Column::kAt, &StackSampleRecord::at_ns, Coding::kDifferences);
          columns.add(Column::kStack, &StackSampleRecord::stack).add_reals(Column::kWeight, &StackSampleRecord::weight);
        });
  }

  template <typename Write>
  void write_memory(Packer& packer, const Write& write) {
    std::vector<MemoryRecord> made, freed;
    for (const MemoryRecord& record : memory) (record.is_free ? freed : made).push_back(record);
    write_records(
        ChunkType::kAllocations, made, packer, write, [&](auto& columns, auto& chunk, std::size_t, std::size_t n) {
          using Column = column::Allocations;
          columns.add(Column::kLane, &MemoryRecord::track).add(Column::kKey, &MemoryRecord::key, Coding::kDifferences);
          columns.add(Column::kAt, &MemoryRecord::at_ns, Coding::kDifferences)
              .add(Column::kCount, &MemoryRecord::size_bytes);
          chunk.integers(Column::kItemSize, n, [](std::size_t) { return 1; });
          columns.add(Column::kDtype, &MemoryRecord::what).add(Column::kFlags, &MemoryRecord::flags);
          columns.add(Column::kCategory, &MemoryRecord::category).add(Column::kContext, &MemoryRecord::context);
          columns.add(Column::kAddress, &MemoryRecord::address);
        });
    write_records(ChunkType::kFrees, freed, packer, write, [&](auto& columns, auto&, std::size_t, std::size_t) {
      using Column = column::Frees;
      columns.add(Column::kLane, &MemoryRecord::track).add(Column::kKey, &MemoryRecord::key, Coding::kDifferences);
      columns.add(Column::kAt, &MemoryRecord::at_ns, Coding::kDifferences);
    });
  }
};

// A thread's own. The thread appends to `active` under the mutex, which only the writer's thread ever contends for.
struct ThreadBuffer {
  static constexpr std::uint32_t kOpBlock = 256;                     // numbers of ops that a thread takes at once
  static constexpr std::size_t kMostRecords = std::size_t{1} << 20;  // that wait to be written
  static constexpr std::size_t kMostCachedStrings = std::size_t{1} << 16;

  void take() {
    const std::lock_guard lock(mutex);
    std::swap(active, taken);
  }
  // A record and room for its parts (an op's sources, an event's arguments), or neither where memory lacks: parts are
  // told apart by nothing but their number. Returns the first part. The mutex is held.
  template <typename Record, typename Part>
  static Part* add(std::vector<Record>& records, const Record& record, std::vector<Part>& parts, std::size_t count) {
    records.push_back(record);
    try {
      parts.resize(parts.size() + count);
    } catch (...) {
      records.pop_back();
      throw;
    }
    return parts.data() + (parts.size() - count);
  }

  std::mutex mutex;
  Records active;
  Records taken;  // the writer's thread's
  std::uint32_t next_op = 0, end_op = 0;
  std::unordered_map<std::string_view, std::uint32_t> strings;  // numbers of those used lately
  std::vector<ArgumentRecord> arguments;                        // of the event that is being recorded
};

}  // namespace vizd::capture
