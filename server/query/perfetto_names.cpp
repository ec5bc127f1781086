#include "query/perfetto_names.h"

#include <algorithm>
#include <array>

#include "base/ascii_case.h"

namespace vizd::sql {
namespace {

constexpr std::array kNames{
    PerfettoName{"thread_track", "", "The tracks of threads.",
                 "CREATE VIEW thread_track AS SELECT id, name, type, parent_id, utid, upid, path, capture_id "
                 "FROM track WHERE utid IS NOT NULL AND type IS NOT 'counter'"},
    PerfettoName{"process_track", "", "The tracks of processes, without those of their threads.",
                 "CREATE VIEW process_track AS SELECT id, name, type, parent_id, upid, path, capture_id "
                 "FROM track WHERE upid IS NOT NULL AND utid IS NULL AND type IS NOT 'counter'"},
    PerfettoName{"counter_track", "", "Counters, as tracks.",
                 "CREATE VIEW counter_track AS SELECT id, name, type, parent_id, unit, utid, upid, path, capture_id "
                 "FROM track WHERE type = 'counter'"},
    PerfettoName{"thread_counter_track", "", "The counters of threads.",
                 "CREATE VIEW thread_counter_track AS SELECT * FROM counter_track WHERE utid IS NOT NULL"},
    PerfettoName{"process_counter_track", "", "The counters of processes, without those of their threads.",
                 "CREATE VIEW process_counter_track AS SELECT * FROM counter_track "
                 "WHERE upid IS NOT NULL AND utid IS NULL"},
    PerfettoName{"metadata", "", "What captures record about themselves, as in fact.",
                 "CREATE VIEW metadata AS SELECT id, coalesce(subject || '.', '') || name AS name, "
                 "'single' AS key_type, iif(typeof(value) = 'integer', value, NULL) AS int_value, "
                 "iif(typeof(value) <> 'integer', CAST(value AS TEXT), NULL) AS str_value, capture_id FROM fact"},
    PerfettoName{"sched", "", "What ran on each CPU, if the kernel's scheduler was recorded.",
                 "CREATE VIEW sched AS SELECT s.id, s.ts, s.dur, "
                 "CAST(substr(t.name, 5) AS INTEGER) AS cpu, h.utid, NULL AS end_state, "
                 "extract_arg(s.arg_set_id, 'priority') AS priority, s.track_id "
                 "FROM track t JOIN slice s ON s.track_id = t.id AND s.category = 'sched' "
                 "LEFT JOIN thread h ON h.tid = extract_arg(s.arg_set_id, 'pid') "
                 "WHERE t.type = 'engine' AND t.name GLOB 'CPU [0-9]*'"},
    PerfettoName{"sched_slice", "", "As sched.", "CREATE VIEW sched_slice AS SELECT * FROM sched"},
    PerfettoName{"thread_slice", "slices.with_context", "Slices of threads, with the thread and the process.",
                 "CREATE VIEW thread_slice AS SELECT s.id, s.ts, s.dur, s.category, s.name, s.track_id, "
                 "k.name AS track_name, h.name AS thread_name, h.utid, h.tid, h.tid = p.pid AS is_main_thread, "
                 "p.name AS process_name, p.upid, p.pid, s.depth, s.parent_id, s.arg_set_id, s.thread_ts, "
                 "s.thread_dur FROM track k JOIN slice s ON s.track_id = k.id JOIN thread h ON h.utid = k.utid "
                 "LEFT JOIN process p ON p.upid = h.upid"},
    PerfettoName{"process_slice", "slices.with_context", "Slices of processes' own tracks, with the process.",
                 "CREATE VIEW process_slice AS SELECT s.id, s.ts, s.dur, s.category, s.name, s.track_id, "
                 "k.name AS track_name, p.name AS process_name, p.upid, p.pid, s.depth, s.parent_id, s.arg_set_id, "
                 "s.thread_ts, s.thread_dur FROM process_track k JOIN slice s ON s.track_id = k.id "
                 "JOIN process p ON p.upid = k.upid"},
    PerfettoName{"thread_or_process_slice", "slices.with_context", "Both of these.",
                 "CREATE VIEW thread_or_process_slice AS SELECT s.id, s.ts, s.dur, s.category, s.name, s.track_id, "
                 "k.name AS track_name, h.name AS thread_name, h.utid, h.tid, p.name AS process_name, p.upid, p.pid, "
                 "s.depth, s.parent_id, s.arg_set_id FROM track k JOIN slice s ON s.track_id = k.id "
                 "LEFT JOIN thread h ON h.utid = k.utid LEFT JOIN process p ON p.upid = k.upid "
                 "WHERE k.upid IS NOT NULL OR k.utid IS NOT NULL"},
    PerfettoName{"sched_with_thread_process", "sched.with_context", "sched, with the thread and the process.",
                 "CREATE VIEW sched_with_thread_process AS SELECT c.id, c.ts, c.dur, c.utid, "
                 "h.name AS thread_name, h.upid, p.name AS process_name, c.cpu, c.end_state, c.priority "
                 "FROM sched c JOIN thread h ON h.utid = c.utid LEFT JOIN process p ON p.upid = h.upid"},
    PerfettoName{"slice_self_dur", "slices.self_dur", "The self time of slices, without those directly inside them.",
                 "CREATE VIEW slice_self_dur AS SELECT s.id, s.dur - coalesce(i.dur, 0) AS self_dur FROM slice s "
                 "LEFT JOIN (SELECT parent_id, sum(dur) AS dur FROM slice WHERE depth > 0 GROUP BY parent_id) i "
                 "ON i.parent_id = s.id"},
    PerfettoName{"slice_is_ancestor", "", "slice_is_ancestor(ancestor_id, id): whether one contains the other",
                 "CREATE PERFETTO FUNCTION slice_is_ancestor(ancestor_id LONG, descendant_id LONG) RETURNS BOOL AS "
                 "SELECT EXISTS (SELECT 1 FROM ancestor_slice($descendant_id) WHERE id = $ancestor_id)"},
    PerfettoName{"time_from_ns", "time.conversion", "time_from_ns(n)",
                 "CREATE PERFETTO FUNCTION time_from_ns(n LONG) RETURNS LONG AS SELECT $n"},
    PerfettoName{"time_from_us", "time.conversion", "time_from_us(n): nanoseconds of n microseconds",
                 "CREATE PERFETTO FUNCTION time_from_us(n LONG) RETURNS LONG AS SELECT $n * 1000"},
    PerfettoName{"time_from_ms", "time.conversion", "time_from_ms(n): nanoseconds of n milliseconds",
                 "CREATE PERFETTO FUNCTION time_from_ms(n LONG) RETURNS LONG AS SELECT $n * 1000000"},
    PerfettoName{"time_from_s", "time.conversion", "time_from_s(n): nanoseconds of n seconds",
                 "CREATE PERFETTO FUNCTION time_from_s(n LONG) RETURNS LONG AS SELECT $n * 1000000000"},
    PerfettoName{"time_from_min", "time.conversion", "time_from_min(n): nanoseconds of n minutes",
                 "CREATE PERFETTO FUNCTION time_from_min(n LONG) RETURNS LONG AS SELECT $n * 60000000000"},
    PerfettoName{"time_from_hours", "time.conversion", "time_from_hours(n): nanoseconds of n hours",
                 "CREATE PERFETTO FUNCTION time_from_hours(n LONG) RETURNS LONG AS SELECT $n * 3600000000000"},
    PerfettoName{"time_from_days", "time.conversion", "time_from_days(n): nanoseconds of n days",
                 "CREATE PERFETTO FUNCTION time_from_days(n LONG) RETURNS LONG AS SELECT $n * 86400000000000"},
    PerfettoName{"time_to_ns", "time.conversion", "time_to_ns(ns)",
                 "CREATE PERFETTO FUNCTION time_to_ns(ns LONG) RETURNS LONG AS SELECT $ns"},
    PerfettoName{"time_to_us", "time.conversion", "time_to_us(ns): whole microseconds",
                 "CREATE PERFETTO FUNCTION time_to_us(ns LONG) RETURNS LONG AS SELECT $ns / 1000"},
    PerfettoName{"time_to_ms", "time.conversion", "time_to_ms(ns): whole milliseconds",
                 "CREATE PERFETTO FUNCTION time_to_ms(ns LONG) RETURNS LONG AS SELECT $ns / 1000000"},
    PerfettoName{"time_to_s", "time.conversion", "time_to_s(ns): whole seconds",
                 "CREATE PERFETTO FUNCTION time_to_s(ns LONG) RETURNS LONG AS SELECT $ns / 1000000000"},
    PerfettoName{"time_to_min", "time.conversion", "time_to_min(ns): whole minutes",
                 "CREATE PERFETTO FUNCTION time_to_min(ns LONG) RETURNS LONG AS SELECT $ns / 60000000000"},
    PerfettoName{"time_to_hours", "time.conversion", "time_to_hours(ns): whole hours",
                 "CREATE PERFETTO FUNCTION time_to_hours(ns LONG) RETURNS LONG AS SELECT $ns / 3600000000000"},
    PerfettoName{"time_to_days", "time.conversion", "time_to_days(ns): whole days",
                 "CREATE PERFETTO FUNCTION time_to_days(ns LONG) RETURNS LONG AS SELECT $ns / 86400000000000"},
};

}  // namespace

std::span<const PerfettoName> perfetto_names() { return kNames; }

bool has_module(std::string_view module) {
  if (module == "*" || module.starts_with("prelude.")) return true;
  const bool is_star = module.ends_with(".*");
  const std::string_view beginning = module.substr(0, module.size() - (is_star ? 1 : 0));
  return std::ranges::any_of(kNames, [&](const PerfettoName& name) {
    return is_star ? name.module.starts_with(beginning) : equal_in_any_case(name.module, module);
  });
}

}  // namespace vizd::sql
