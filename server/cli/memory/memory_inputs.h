// What the commands about memory read and print: snapshots of PyTorch's allocator, and records of them. One thread.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "cli/command_line/arguments.h"
#include "formats/torch_memory/answers/memory_file.h"
#include "session/loaded_capture.h"

namespace vizd {

// Null where the set is none of a snapshot or cannot be read: says so on stderr. What is amiss in one is said there
// too.
std::unique_ptr<torch_memory::MemoryFile> open_snapshot(const InputSet& set);

bool is_snapshot(const InputSet& set);

// The capture of a set, of whatever format, in which an allocator told of itself entry by entry; else null, as above.
std::shared_ptr<const LoadedCapture> open_allocators(const InputSet& set);

// Prints records as they come: with JSON each at once, else gathered in tables, one for each kind of record.
class RecordPrinter {
 public:
  // limit: at most so many rows of a table or records of a kind; 0: all.
  RecordPrinter(bool json, std::size_t limit) : json_(json), limit_(limit) {}

  void take(const torch_memory::Record& record);
  // The tables.
  void finish();
  torch_memory::TakeRecord taker() {
    return [this](const torch_memory::Record& record) { take(record); };
  }

 private:
  struct Table {
    std::vector<std::string_view> names;
    std::vector<torch_memory::Record> rows;
    std::size_t count = 0;
  };
  Table& table_of(const torch_memory::Record& record);

  const bool json_;
  const std::size_t limit_;
  std::vector<Table> tables_;
};

}  // namespace vizd
