// Questions about a job as a whole: its ranks, how busy each was, its steps rank by rank, its kernels over all ranks,
// who came late to collectives, and what changed from one job to another. Each is one query that reads no more than
// sums and the coarse rows of push, tile, run and kernel, but for collectives(), which reads the slices of their names.
// Any thread, a connection each.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "store/answer.h"
#include "store/store.h"

namespace vizd::store {

// job, ranks, whole (those that were pushed to their end), slices, stored_rows, at_s (of the last push), format; the
// last pushed first.
Result<Answer> jobs(const Store& store);
// rank, capture, format, start_ns, end_ns, slices, is_whole.
Result<Answer> ranks_of_job(const Store& store, const std::string& job);
// rank, dur (of a piece of time), places, busy_ns: by piece in which its devices were busy at all.
Result<Answer> busy_ranks(const Store& store, const std::string& job);
// rank, numbers, starts_ns (from the rank's start), durs_ns: of the job's steps, or of what runs it has otherwise.
Result<Answer> steps(const Store& store, const std::string& job);
// name, is_communication, ranks, launches, total_ns, least_ns, median_ns, most_ns, most_rank: of each rank's total; by
// total.
Result<Answer> kernels(const Store& store, const std::string& job);
// rank, wait_ns, collectives: how long it made others wait at so many (late_ranks.h); the longest first.
Result<Answer> late_to_collectives(const Store& store, const std::string& job);
// name, before_ns, after_ns (of a rank, on average), before_launches, after_launches; by what changed most.
Result<Answer> compare_jobs(const Store& store, const std::string& before, const std::string& after);

// A query of the user's: read only, at most so many rows, at most so long. is_whole: there are no more rows.
struct QueryAnswer {
  Answer answer;
  bool is_whole = true;
};
Result<QueryAnswer> ask_query(const Store& store, std::string_view sql, std::uint64_t most_rows);

}  // namespace vizd::store
