#include "query/functions.h"

#include <sqlite3.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <new>

namespace vizd::sql {
namespace {

constexpr std::array kFunctions{
    FunctionInfo{"EXTRACT_ARG(arg_set_id, key)", "The argument with that key, or name; null if there is none"},
    FunctionInfo{"TRACE_START()", "When the earliest event began; times on the page count from it: ts - TRACE_START()"},
    FunctionInfo{"TRACE_END()", "When the last ended"},
    FunctionInfo{"TRACE_DUR()", "From the first event to the last"},
    FunctionInfo{"PERCENTILE(x, p)", "Aggregate: p percent of the values are at most that; 50: the median"},
    FunctionInfo{"text REGEXP expression",
                 "Whether a part of the text matches; POSIX extended syntax, with \\d \\w \\s \\b"},
    FunctionInfo{"ancestor_slice(id)", "Table, like slice: the slices that contain one, the outermost first"},
    FunctionInfo{"descendant_slice(id)", "Table, like slice: the slices inside one, at any depth"},
    FunctionInfo{"following_flow(id)", "Table, like flow: what a slice and those inside it lead to, at any distance"},
    FunctionInfo{"preceding_flow(id)", "Table, like flow: what led to a slice and those around it, at any distance"},
    FunctionInfo{"directly_connected_flow(id)", "Table, like flow: the chains to a slice and from it"},
    FunctionInfo{"SPAN_JOIN(a, b)",
                 "Table: the times during which spans of both overlap; also SPAN_LEFT_JOIN, SPAN_OUTER_JOIN, and "
                 "PARTITIONED column after a table"},
    FunctionInfo{"slice_is_ancestor(above, id)", "Whether one slice contains the other"},
    FunctionInfo{"time_to_ms(ns)", "Whole milliseconds; so of ns, us, s, min, hours, days; time_from_ms(n) back"},
};

const ArgsTable& args_of(sqlite3_context* context) {
  return *static_cast<const ArgsTable*>(sqlite3_user_data(context));
}

void extract_arg(sqlite3_context* context, int, sqlite3_value** values) {
  Cell cell(context);
  if (sqlite3_value_type(values[0]) != SQLITE_INTEGER || sqlite3_value_type(values[1]) != SQLITE_TEXT)
    return cell.null();
  const auto* text = reinterpret_cast<const char*>(sqlite3_value_text(values[1]));
  const std::string_view key(text, static_cast<std::size_t>(sqlite3_value_bytes(values[1])));
  try {
    write_argument(args_of(context), sqlite3_value_int64(values[0]), key, cell);
  } catch (const std::bad_alloc&) {
    sqlite3_result_error_nomem(context);
  }
}

// The time from the first begin to the last end of all captures with a profile.
Interval trace_time(const Catalog& catalog) {
  Interval time{std::numeric_limits<std::int64_t>::max(), std::numeric_limits<std::int64_t>::min()};
  for (const Source& source : catalog.sources()) {
    if (!source.capture->has_profile) continue;
    time.first = std::min(time.first, source.capture->profile.start_ns);
    time.last = std::max(time.last, source.capture->profile.end_ns);
  }
  return time;
}

template <typename Of>
void write_time(sqlite3_context* context, Of&& of) {
  const Interval time = trace_time(args_of(context).catalog());
  time.is_empty() ? sqlite3_result_null(context) : sqlite3_result_int64(context, of(time));
}
void trace_start(sqlite3_context* context, int, sqlite3_value**) {
  write_time(context, [](const Interval& time) { return time.first; });
}
void trace_end(sqlite3_context* context, int, sqlite3_value**) {
  write_time(context, [](const Interval& time) { return time.last; });
}
void trace_dur(sqlite3_context* context, int, sqlite3_value**) {
  write_time(context, [](const Interval& time) { return time.last - time.first; });
}

// The values so far, in SQLite's memory, which is limited: begin, how many, for how many there is room.
struct Sample {
  double* values;
  std::uint32_t count, room;
  double percent;
};

void percentile_step(sqlite3_context* context, int, sqlite3_value** values) {
  auto* sample = static_cast<Sample*>(sqlite3_aggregate_context(context, sizeof(Sample)));
  if (sample == nullptr) return sqlite3_result_error_nomem(context);
  sample->percent = sqlite3_value_double(values[1]);
  if (sqlite3_value_numeric_type(values[0]) == SQLITE_NULL) return;
  if (sample->count == sample->room) {
    const std::uint32_t room = std::max<std::uint32_t>(64, sample->room * 2);
    void* grown = sqlite3_realloc64(sample->values, room * sizeof(double));
    if (grown == nullptr || room < sample->room) return sqlite3_result_error_nomem(context);
    sample->values = static_cast<double*>(grown);
    sample->room = room;
  }
  sample->values[sample->count++] = sqlite3_value_double(values[0]);
}

// Between two values in proportion, as Perfetto's and numpy's.
void percentile_end(sqlite3_context* context) {
  auto* sample = static_cast<Sample*>(sqlite3_aggregate_context(context, 0));
  if (sample == nullptr || sample->count == 0) return sqlite3_result_null(context);
  const double at = std::clamp(sample->percent, 0.0, 100.0) / 100 * (sample->count - 1);
  const auto below = static_cast<std::size_t>(at);
  double* const end = sample->values + sample->count;
  std::nth_element(sample->values, sample->values + below, end);
  double value = sample->values[below];
  if (below + 1 < sample->count) {
    const double next = *std::min_element(sample->values + below + 1, end);
    value += (at - std::floor(at)) * (next - value);
  }
  sqlite3_free(sample->values);
  sample->values = nullptr;
  sqlite3_result_double(context, value);
}

}  // namespace

std::span<const FunctionInfo> functions() { return kFunctions; }

int add_functions(sqlite3* connection, const ArgsTable& args) {
  void* const data = const_cast<ArgsTable*>(&args);
  constexpr int kPure = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS;
  int code = SQLITE_OK;
  const auto add = [&](const char* name, int arguments, auto function) {
    if (code == SQLITE_OK)
      code = sqlite3_create_function_v2(connection, name, arguments, kPure, data, function, nullptr, nullptr, nullptr);
  };
  add("extract_arg", 2, extract_arg);
  add("trace_start", 0, trace_start);
  add("trace_end", 0, trace_end);
  add("trace_dur", 0, trace_dur);
  if (code != SQLITE_OK) return code;
  return sqlite3_create_function_v2(connection, "percentile", 2, kPure, data, nullptr, percentile_step, percentile_end,
                                    nullptr);
}

}  // namespace vizd::sql
