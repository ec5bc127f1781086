// The tables that all threads of CaptureWriter (capture_writer.h) share: strings, and records of which there are few
// and which others refer to by number. Any thread adds to them; the writer's own thread takes and writes them. C++17
// and zstd.
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
    const auto known = by_key_.find(key);
    if (known != by_key_.end()) return known->second;
    // The record first: without its key it is found no more, without it the key's number would be another's.
    active_.push_back(record);
    const std::uint32_t added = count_++;
    by_key_.emplace(key, added);
    return added;
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

// The tables that all threads share.
struct Tables {
  Table<3> facts{ChunkType::kFacts};          // key, text, number
  Table<3> kinds{ChunkType::kKinds};          // name, colour, flags
  Table<3> locations{ChunkType::kLocations};  // file, line, code
  Table<2> contexts{ChunkType::kContexts};    // name, stack
  Table<3> links{ChunkType::kLinks};          // context, op, name
  Table<7> programs{ChunkType::kPrograms};    // context, name, source, device, none, binary, flags
  Table<6> passes{ChunkType::kPasses};        // context, name, location, graph, depth, flags
  Table<2> measures{ChunkType::kMeasures};    // name, unit
  Table<5> tracks{ChunkType::kTracks};        // name, kind, parent, sort, hertz
  Table<3> counters{ChunkType::kCounters};    // name, unit, track
  Table<3> arguments{ChunkType::kArguments};  // name, unit, type
  Table<4> stacks{ChunkType::kStacks};        // function, file, line, caller

  // Tables that refer to others come first: the rows they refer to were there before.
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
    visit(tracks);
    visit(arguments);
    visit(stacks);
    visit(measures);
    visit(locations);
    visit(kinds);
    visit(facts);
  }
};

}  // namespace vizd::capture
