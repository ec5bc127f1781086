// Pushes one capture as a rank of a job into a store. What is there already is left alone: the same content again is
// nothing to do, and a push that was cut goes on with the blocks that are missing. Any thread, several ranks at once.
//
// How no row is lost or doubled: rows go in blocks that are the same whenever they are made (blocks.h); the store takes
// each whole or not at all (row_binary.h, framed()), one part of one table; each row has its block's number, so what
// came is asked of the store before anything is sent, after the requests of a push that was cut have ended; and at the
// end every block is counted once more, before the push is recorded as done.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "model/capture.h"
#include "query/source.h"
#include "store/store.h"

namespace vizd::store {

struct PushInput {
  sql::Source source;   // the capture, its name, its lines of source
  std::string format;   // what its files are, for people
  std::string content;  // a hash of its files: letters and digits
  std::uint64_t file_bytes = 0;
  // Writes the capture as a file of vizd's own, part after part: the same bytes each time.
  std::function<void(const std::function<void(std::string_view part)>& write)> write_file;
};

struct PushOptions {
  std::string job;
  std::uint32_t rank = 0;
  bool replaces = false;              // another capture that is there as this rank
  std::chrono::seconds patience{60};  // how long a store that has left is waited for
  std::chrono::seconds keep{0};       // how long it is kept; 0: for ever
};

struct PushReport {
  bool was_there = false;         // all of it, from before
  std::uint64_t slices = 0;       // in the store now
  std::uint64_t rows = 0;         // likewise, of all tables
  std::uint64_t rows_before = 0;  // of those, what an earlier push had brought
  std::uint64_t sent_bytes = 0;
};

// Called now and then: rows of slice so far, and what it waits for where it waits.
using PushProgress = std::function<void(std::uint64_t slices, std::string_view waiting_for)>;

// The tables are there (Store::create).
Result<PushReport> push(const Store& store, const PushInput& input, const PushOptions& options,
                        const PushProgress& progress);

}  // namespace vizd::store
