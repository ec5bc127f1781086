// What CaptureWriter (capture_writer.h) keeps until it is written: each thread's records, and the tables that all
// threads share. Records become columns only when they are written, by the writer's own thread. C++17 and zstd.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <mutex>
#include <string>
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
  std::uint32_t lane, name, info, context;
};
struct SampleRecord {
  std::int64_t at_ns;
  double value;
  std::uint32_t counter;
};
struct MemoryRecord {
  std::int64_t at_ns;
  std::uint64_t key, size_bytes, address;
  std::uint32_t lane, what, category, context, flags;
  bool is_free;
};
struct MarkerRecord {
  std::int64_t at_ns;
  std::uint32_t name, colour;
};
struct FlowRecord {
  std::int64_t from_ns, to_ns;
  std::uint32_t from_lane, to_lane;
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

// What one thread recorded.
struct Records {
  std::vector<OpRecord> ops;
  std::vector<std::uint32_t> sources;  // of the ops, one op after another
  std::vector<MatchRecord> matches;
  std::vector<EventRecord> events;
  std::vector<SampleRecord> samples;
  std::vector<MemoryRecord> memory;
  std::vector<MarkerRecord> markers;
  std::vector<FlowRecord> flows;

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
    write_records(ChunkType::kEvents, events, packer, write, [&](auto& columns, auto&, std::size_t, std::size_t) {
      using Column = column::Events;
      columns.add(Column::kLane, &EventRecord::lane).add(Column::kStart, &EventRecord::start_ns, differences);
      columns.add(Column::kDuration, &EventRecord::dur_ns).add(Column::kName, &EventRecord::name);
      columns.add(Column::kInfo, &EventRecord::info).add(Column::kContext, &EventRecord::context);
    });
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
      columns.add(Column::kFromLane, &FlowRecord::from_lane).add(Column::kToLane, &FlowRecord::to_lane);
      columns.add(Column::kFrom, &FlowRecord::from_ns, differences).add(Column::kTo, &FlowRecord::to_ns, differences);
    });
    clear();
  }

  void clear() {
    ops.clear();
    sources.clear();
    matches.clear();
    events.clear();
    samples.clear();
    memory.clear();
    markers.clear();
    flows.clear();
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
  void write_memory(Packer& packer, const Write& write) {
    std::vector<MemoryRecord> made, freed;
    for (const MemoryRecord& record : memory) (record.is_free ? freed : made).push_back(record);
    write_records(
        ChunkType::kAllocations, made, packer, write, [&](auto& columns, auto& chunk, std::size_t, std::size_t n) {
          using Column = column::Allocations;
          columns.add(Column::kLane, &MemoryRecord::lane).add(Column::kKey, &MemoryRecord::key, Coding::kDifferences);
          columns.add(Column::kAt, &MemoryRecord::at_ns, Coding::kDifferences)
              .add(Column::kCount, &MemoryRecord::size_bytes);
          chunk.integers(Column::kItemSize, n, [](std::size_t) { return 1; });
          columns.add(Column::kDtype, &MemoryRecord::what).add(Column::kFlags, &MemoryRecord::flags);
          columns.add(Column::kCategory, &MemoryRecord::category).add(Column::kContext, &MemoryRecord::context);
          columns.add(Column::kAddress, &MemoryRecord::address);
        });
    write_records(ChunkType::kFrees, freed, packer, write, [&](auto& columns, auto&, std::size_t, std::size_t) {
      using Column = column::Frees;
      columns.add(Column::kLane, &MemoryRecord::lane).add(Column::kKey, &MemoryRecord::key, Coding::kDifferences);
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

  std::mutex mutex;
  Records active;
  Records taken;  // the writer's thread's
  std::uint32_t next_op = 0, end_op = 0;
  std::unordered_map<std::string_view, std::uint32_t> strings;  // numbers of those used lately
};

// Every string once, by number; 0 is "".
class StringTable {
 public:
  // The view stays valid as long as the table.
  std::pair<std::string_view, std::uint32_t> intern(std::string_view text) {
    const std::lock_guard lock(mutex_);
    const auto known = numbers_.find(text);
    if (known != numbers_.end()) return {known->first, known->second};
    strings_.emplace_back(text);
    const auto number = static_cast<std::uint32_t>(strings_.size());
    numbers_.emplace(strings_.back(), number);
    return {strings_.back(), number};
  }

  // Writes those that are new.
  template <typename Write>
  void write(Packer& packer, const Write& write) {
    std::vector<std::string_view> fresh;
    {
      const std::lock_guard lock(mutex_);
      for (std::size_t i = written_; i < strings_.size(); ++i) fresh.emplace_back(strings_[i]);
    }
    std::size_t begin = 0;
    std::string bytes;
    for (std::size_t i = 0; i < fresh.size(); ++i) {
      bytes += fresh[i];
      if (bytes.size() < kMostBytes && i + 1 - begin < kWrittenRecords && i + 1 < fresh.size()) continue;
      ChunkBuilder chunk(ChunkType::kStrings, i + 1 - begin, written_ + begin + 1);
      chunk.integers(column::Strings::kLength, i + 1 - begin, [&](std::size_t k) { return fresh[begin + k].size(); });
      chunk.bytes(column::Strings::kBytes, bytes);
      write(chunk.finish(packer));
      begin = i + 1;
      bytes.clear();
    }
    written_ += fresh.size();
  }

 private:
  static constexpr std::size_t kMostBytes = std::size_t{16} << 20;  // in a chunk

  std::mutex mutex_;
  std::deque<std::string> strings_;  // number n at n - 1; a deque, so that views stay
  std::unordered_map<std::string_view, std::uint32_t> numbers_;
  std::size_t written_ = 0;
};

// A table of few records of so many numbers each; the columns are numbered from 1, in order.
template <std::size_t kColumns>
class Table {
 public:
  using Record = std::array<std::uint64_t, kColumns>;

  explicit Table(ChunkType type) : type_(type) {}

  std::uint32_t add(const Record& record) {
    const std::lock_guard lock(mutex_);
    active_.push_back(record);
    return count_++;
  }
  // The record added under this key before, else a new one.
  std::uint32_t add(const Record& record, const Record& key) {
    const std::lock_guard lock(mutex_);
    const auto [found, is_new] = by_key_.try_emplace(key, count_);
    if (is_new) {
      active_.push_back(record);
      ++count_;
    }
    return found->second;
  }

  void take() {
    const std::lock_guard lock(mutex_);
    taken_.swap(active_);
  }
  template <typename Write>
  void write(Packer& packer, const Write& write) {
    for (std::size_t first = 0; first < taken_.size(); first += kWrittenRecords) {
      const std::size_t left = taken_.size() - first;
      const std::size_t count = left < kWrittenRecords ? left : kWrittenRecords;
      ChunkBuilder chunk(type_, count, written_ + first);
      for (std::size_t c = 0; c < kColumns; ++c) {
        chunk.integers(static_cast<std::uint16_t>(c + 1), count, [&](std::size_t i) { return taken_[first + i][c]; });
      }
      write(chunk.finish(packer));
    }
    written_ += taken_.size();
    taken_.clear();
  }

 private:
  const ChunkType type_;
  std::mutex mutex_;
  std::vector<Record> active_;
  std::map<Record, std::uint32_t> by_key_;
  std::uint32_t count_ = 0;
  std::vector<Record> taken_;  // the writer's thread's, as is the next
  std::size_t written_ = 0;
};

// What threads share.
struct Tables {
  Table<3> kinds{ChunkType::kKinds};          // name, colour, flags
  Table<3> locations{ChunkType::kLocations};  // file, line, code
  Table<1> contexts{ChunkType::kContexts};    // name
  Table<3> links{ChunkType::kLinks};          // context, op, name
  Table<6> programs{ChunkType::kPrograms};    // context, name, source, device, none, binary
  Table<6> passes{ChunkType::kPasses};        // context, name, location, graph, depth, flags
  Table<6> lanes{ChunkType::kLanes};          // name, rank, process, device, stream, hertz
  Table<3> counters{ChunkType::kCounters};    // name, unit, lane

  // Passes first: what they refer to was there before them.
  void take() {
    each([](auto& table) { table.take(); });
  }
  template <typename Write>
  void write(Packer& packer, const Write& write) {
    each([&](auto& table) { table.write(packer, write); });
  }

 private:
  template <typename Visit>
  void each(Visit&& visit) {
    visit(passes);
    visit(links);
    visit(programs);
    visit(contexts);
    visit(counters);
    visit(lanes);
    visit(locations);
    visit(kinds);
  }
};

}  // namespace vizd::capture
