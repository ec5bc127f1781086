// Fields of kernels, breakdowns and comparisons.
#include <fmt/format.h>

#include "analysis/answers/device_answers.h"
#include "analysis/answers/field_values.h"
#include "base/ascii_case.h"

namespace vizd {
namespace {

using enum Unit;

constexpr std::string_view kClasses[] = {"kernel", "memcpy", "memset"};
constexpr std::string_view kBounds[] = {"compute", "memory"};
constexpr std::string_view kAttentions[] = {"causal", "all pairs", "both", "not told"};
constexpr std::string_view kHostMemories[] = {"pinned", "pageable"};
constexpr std::string_view kStates[] = {"added", "removed", "both"};
constexpr std::string_view kJoinKeys[] = {"name", "family", "operator", "name", "shapes"};

std::string_view class_of(EventRole work) {
  return kClasses[work == EventRole::kMemcpy ? 1 : work == EventRole::kMemset ? 2 : 0];
}

template <typename T>
FieldValue only_if(bool is_there, T value) {
  return is_there ? field_value(std::move(value)) : FieldValue(Absent());
}

auto of_launches(auto member) {
  return [member](const KernelLine& line) { return line.row.durations.*member; };
}

auto of_calls(KernelGroup group, auto member) {
  return [group, member](const KernelLine& line) {
    const auto& calls = line.row.calls;
    return only_if(is_of_operators(group), calls ? std::optional((*calls).*member) : std::nullopt);
  };
}

// Launches of one kind: of a name its class tells that.
auto of_kind(KernelGroup group, std::int64_t KernelRow::*count) {
  return [group, count](const KernelLine& line) { return only_if(group != KernelGroup::kName, line.row.*count); };
}

// The number of launches or calls whose work is known, if it is not all of them.
std::optional<std::string> known_of(const KernelLine& line) {
  const KernelRow& row = line.row;
  const std::int64_t all = row.calls ? row.calls->launches : row.durations.launches;
  const auto is_part = [all](const KnownWork& work) { return work.count > 0 && work.count < all; };
  const std::string whole = fmt::format(" of {} {}", all, row.calls ? "calls" : "launches");
  if (is_part(row.flop) && row.flop.count == row.bytes.count) return fmt::format("{}{}", row.flop.count, whole);
  std::string parts;
  if (is_part(row.flop)) parts = fmt::format("FLOP {}", row.flop.count);
  if (is_part(row.bytes)) parts += fmt::format("{}bytes {}", parts.empty() ? "" : ", ", row.bytes.count);
  return parts.empty() ? std::nullopt : std::optional(parts + whole);
}

std::optional<double> copied_per_s(const KernelLine& line) {
  const std::int64_t total_ns = line.row.durations.total_ns;
  if (!line.row.bytes_copied || total_ns == 0) return std::nullopt;
  return *line.row.bytes_copied / (static_cast<double>(total_ns) * 1e-9);
}

// As its name says: "Memcpy HtoD (Pinned -> Device)".
std::optional<std::string_view> host_memory_of(const KernelLine& line) {
  if (line.group != KernelGroup::kName || line.row.work != EventRole::kMemcpy || !line.row.key) return std::nullopt;
  for (const std::string_view memory : kHostMemories) {
    if (contains_in_any_case(*line.row.key, memory)) return memory;
  }
  return std::nullopt;
}

auto of_side(ComparedKernel::Side ComparedKernel::*side, auto member) {
  return [side, member](const ComparisonLine& line) { return (line.row.*side).*member; };
}

const WorkDevice& device_of(const auto& line) { return line.work.devices[line.row.device]; }

// A value only for rows of operators; null if no operator is known.
auto of_calls(ComparedKernel::Side ComparedKernel::*side) {
  return [side](const ComparisonLine& line) {
    const auto calls = line.row.name.empty() ? std::nullopt : std::optional((line.row.*side).calls);
    return only_if(is_of_operators(line.join), calls);
  };
}

std::optional<double> median_of(const ComparedKernel::Side& side) {
  return side.launches == 0 ? std::nullopt : std::optional(side.median_ns);
}

// As people read how it changed.
std::string_view change_word_of(const ComparedKernel& row) {
  if (row.state() != "both") return row.state();
  return row.delta_total_ns() == 0 && row.delta_launches() == 0 ? "same" : "changed";
}

// As people read which kernel it is.
std::string label_of(const ComparedKernel& row) {
  if (row.name.empty()) return "(not known)";
  return row.occurrence == 0 ? row.name : fmt::format("{} #{}", row.name, row.occurrence);
}

}  // namespace

std::string_view kernel_key(KernelGroup group) {
  if (group == KernelGroup::kDevice) return "device_name";
  if (group == KernelGroup::kRank) return "rank_name";
  return kKernelGroupNames[static_cast<std::size_t>(group)];
}

Fields<KernelLine> kernel_fields(KernelGroup group) {
  using L = KernelLine;
  using R = KernelRow;
  FieldInfo key =
      text_field(kernel_key(group), kKernelGroupNames[static_cast<std::size_t>(group)], "What it is called");
  if (group != KernelGroup::kName) key = key.or_null("(not known)");
  // For ranks, JSON has only their numbers.
  if (group == KernelGroup::kRank) key = key.extra();
  return {
      {number_field("rank", "rank", "Of a distributed job"),
       [](const L& l) { return system_number(device_of(l).rank, l.capture.strings); }},
      {number_field("device", "device", "What the system calls it, or its name"),
       [](const L& l) {
         return l.group == KernelGroup::kRank ? FieldValue() : system_number(device_of(l).number, l.capture.strings);
       }},
      {number_field("first_device", "device", "The same, of a rank its first").extra(),
       [](const L& l) { return system_number(device_of(l).number, l.capture.strings); }},
      {text_field("class", "class", "A kernel, or a copy or setting of memory").one_of(kClasses).or_absent(),
       [](const L& l) { return only_if(l.group == KernelGroup::kName, class_of(l.row.work)); }},
      {key, [](const L& l) { return l.row.key ? field_value(std::string_view(*l.row.key)) : FieldValue(); }},
      {FieldInfo{"communication", "communication", FieldKind::kFlag, "Whether it moves data between ranks"}.or_absent(),
       [](const L& l) { return only_if(l.group == KernelGroup::kName, l.row.is_communication); }},
      {count_field("calls", "calls", "How often it was called and launched work").or_null().or_absent(),
       of_calls(group, &LaunchStatistics::launches)},
      {count_field("launches", "launches", "How often it ran"), of_launches(&LaunchStatistics::launches)},
      {time_field("total_ns", "total", "Nanoseconds of all launches"), of_launches(&LaunchStatistics::total_ns)},
      {amount_field("mean_ns", "mean", kNanoseconds, "Of a launch"), of_launches(&LaunchStatistics::mean_ns)},
      {amount_field("median_ns", "median", kNanoseconds, "Of the middle launch; the mean of the middle two"),
       of_launches(&LaunchStatistics::median_ns)},
      {time_field("p90_ns", "p90", "Nine of ten launches take no longer"), of_launches(&LaunchStatistics::p90_ns)},
      {time_field("p99_ns", "p99", "99 of 100 launches take no longer").extra(),
       of_launches(&LaunchStatistics::p99_ns)},
      {time_field("min_ns", "min", "Of the shortest launch"), of_launches(&LaunchStatistics::min_ns)},
      {time_field("max_ns", "max", "Of the longest"), of_launches(&LaunchStatistics::max_ns)},
      {amount_field("call_mean_ns", "mean call", kNanoseconds, "Of a call: of all that it launched")
           .or_null()
           .or_absent(),
       of_calls(group, &LaunchStatistics::mean_ns)},
      {amount_field("call_median_ns", "median call", kNanoseconds,
                    "Of the middle call, of all that each launched; the mean of the middle two")
           .or_null()
           .or_absent(),
       of_calls(group, &LaunchStatistics::median_ns)},
      {time_field("call_p90_ns", "p90 call", "What nine of ten calls launched takes no longer").or_null().or_absent(),
       of_calls(group, &LaunchStatistics::p90_ns)},
      {time_field("call_min_ns", "min call", "Of all that the shortest call launched").or_null().or_absent(),
       of_calls(group, &LaunchStatistics::min_ns)},
      {time_field("call_max_ns", "max call", "Of all that the longest call launched").or_null().or_absent(),
       of_calls(group, &LaunchStatistics::max_ns)},
      {count_field("kernel_launches", "kernels", "Launches that are kernels").or_absent(), of_kind(group, &R::kernels)},
      {count_field("memcpy_launches", "copies", "Launches that are copies of memory").or_absent(),
       of_kind(group, &R::copies)},
      {count_field("memset_launches", "sets", "Launches that are settings of memory").or_absent(),
       of_kind(group, &R::sets)},
      {amount_field("time_percent", "% of work", kPercent,
                    "Of the time of all work of its device, or of its rank where rows are ranks")
           .or_null(),
       &R::time_percent},
      {count_field("at_stake_ns", "potential saving",
                   "What it would save at 80 % of the limit that binds it: of the launches whose work is known",
                   kNanoseconds)
           .or_null(),
       [](const L& l) { return l.row.at_stake_ns; }},
      {amount_field("bytes_copied", "copied", kBytes, "Of copies, where each tells").or_null(), &R::bytes_copied},
      {real_field("copied_per_s", "copied/s", kBytesPerSecond, "Of copies, where each tells").or_null(), copied_per_s},
      {text_field("host_memory", "host memory",
                  "Of a copy from or to the host: whether pages of its memory stay where "
                  "they are, so that the device copies by itself")
           .one_of(kHostMemories)
           .or_null(),
       [](const L& l) { return host_memory_of(l); }},
      {amount_field("flop", "FLOP", kFlop, "Arithmetic of the launches of which it is known").or_null(),
       [](const L& l) { return l.row.flop.amount(); }},
      {amount_field("bytes", "bytes", kBytes,
                    "Of the launches of which they are known: each input read once, each "
                    "output written once")
           .or_null(),
       [](const L& l) { return l.row.bytes.amount(); }},
      {text_field("attention", "attention",
                  "Whether it is causal, which halves its FLOP, or of all pairs; of one that the "
                  "capture does not tell FLOP are those of all pairs")
           .one_of(kAttentions)
           .or_null(),
       [](const L& l) { return text_or_none(l.row.attention()); }},
      {amount_field("flop_if_causal", "FLOP if causal", kFlop, "Where the capture does not tell whether attention is")
           .or_null(),
       [](const L& l) { return l.row.attention() == "not told" ? std::optional(l.row.flop_if_causal) : std::nullopt; }},
      {count_field("flop_known", "FLOP known of", "Of how many launches, or calls, the arithmetic is known"),
       [](const L& l) { return l.row.flop.count; }},
      {count_field("bytes_known", "bytes known of", "Of how many launches, or calls, the bytes are known"),
       [](const L& l) { return l.row.bytes.count; }},
      {text_field("known_of", "known of",
                  "Of how many launches, or calls, the work is known, where it is not of all: "
                  "rates are of these alone")
           .or_null(),
       known_of},
      {count_field("by_time", "told by time",
                   "Launches whose call the profiler could not place on a thread: their operator is the one that was "
                   "open then on the one thread that had any; left out where there are none")
           .or_absent(),
       [](const L& l) { return only_if(l.row.by_time > 0, l.row.by_time); }},
      {text_field("work_from", "work known by", "What its arithmetic and bytes are known by, as docs/figures.md says")
           .or_null(),
       [](const L& l) {
         const std::string from = l.row.work_from();
         return from.empty() ? std::nullopt : std::optional(from);
       }},
      {real_field("flop_per_s", "FLOP/s", kFlopPerSecond, "Of the launches whose arithmetic is known, by their time")
           .or_null(),
       &R::flop_per_s},
      {real_field("bytes_per_s", "bytes/s", kBytesPerSecond, "Of the launches whose bytes are known, by their time")
           .or_null(),
       &R::bytes_per_s},
      {text_field("precision", "precision", "What it computes in: its longest launch, where they differ")
           .one_of(kPrecisionNames)
           .or_null(),
       [](const L& l) { return l.row.precision ? text_or_none(precision_name(*l.row.precision)) : std::nullopt; }},
      {real_field("peak_flops", "peak FLOP/s", kFlopPerSecond,
                  "The device's, dense, at this precision; of several, each launch's FLOP at its own")
           .or_null(),
       &R::peak_flops},
      {real_field("peak_bytes_per_s", "peak bytes/s", kBytesPerSecond, "Of the device's memory").or_null(),
       &R::peak_bytes_per_s},
      {real_field("flop_percent", "% of peak FLOP/s", kPercent,
                  "What the launches that are known reach of the device's dense peak, each of that of its precision")
           .or_null(),
       &R::flop_percent},
      {real_field("bytes_percent", "% of peak bytes/s", kPercent,
                  "What the launches that are known reach of the device's memory bandwidth")
           .or_null(),
       &R::bytes_percent},
      {real_field("achieved_flops_percent", "% of peak FLOP/s in all time", kPercent,
                  "The same by the time of all launches, known or not")
           .or_null(),
       &R::flop_percent_of_all},
      {real_field("achieved_bandwidth_percent", "% of peak bytes/s in all time", kPercent,
                  "The same by the time of all launches, known or not")
           .or_null(),
       &R::bytes_percent_of_all},
      {text_field("overcounted", "no rate",
                  "Why a rate is not told: it would be above the device's peak, so the shapes that are known are not "
                  "what the kernel worked on")
           .one_of(kOvercounted)
           .or_null(),
       [](const L& l) { return text_or_none(l.row.overcounted()); }},
      {text_field("bound", "bound", "Which of the device's limits it would reach first").one_of(kBounds).or_null(),
       [](const L& l) { return text_or_none(l.row.bound()); }},
  };
}

Fields<BreakdownLine> breakdown_fields() {
  using L = BreakdownLine;
  using R = DeviceBreakdown;
  const auto part = [](std::string_view name, std::string_view title, std::string_view about = {}) {
    return time_field(name, title, about).part_of("span_ns");
  };
  return {
      {number_field("rank", "rank", "Of a distributed job"),
       [](const L& l) { return system_number(device_of(l).rank, l.capture.strings); }},
      {number_field("device", "device", "What the system calls it, or its name"),
       [](const L& l) { return system_number(device_of(l).number, l.capture.strings); }},
      {number_field("stream", "stream", "What the system calls it; null of a whole device").or_null("all"),
       [](const L& l) {
         return l.row.stream ? system_number(l.work.streams[*l.row.stream].number, l.capture.strings) : FieldValue();
       }},
      {text_field("device_name", "name", "Of a whole device").or_null().or_absent(),
       [](const L& l) { return only_if(!l.row.stream, text_or_none(device_of(l).name)); }},
      {count_field("events", "events", "Pieces of work"), &R::events},
      {time_field("start_ns", "start", "When its first work began, on the file's own clock"),
       [](const L& l) { return l.row.start_ns + device_of(l).offset_ns; }},
      {time_field("end_ns", "end", "When its last work ended"),
       [](const L& l) { return l.row.end_ns + device_of(l).offset_ns; }},
      {time_field("span_ns", "span", "From its first work to the end of its last"), &R::span_ns},
      {part("busy_ns", "busy", "Time in which anything ran"), &R::busy_ns},
      {part("compute_ns", "compute", "Time in which it computed"), &R::compute_ns},
      {part("communication_ns", "communication", "Time in which ranks exchanged data"), &R::communication_ns},
      {part("memory_ns", "memory", "Time in which copies and sets ran"), &R::memory_ns},
      {part("overlap_ns", "overlap", "Time of communication in which it computed too"), &R::overlap_ns},
      {amount_field("overlap_percent", "% overlapped", kPercent,
                    "Of the time of communication, that in which it computed too")
           .or_null(),
       &R::overlap_percent},
      {part("exposed_communication_ns", "exposed", "Time of communication in which nothing was computed"),
       &R::exposed_communication_ns},
      {part("exposed_memory_ns", "exposed memory", "Time in which only copies and sets ran"), &R::exposed_memory_ns},
      {part("idle_ns", "idle", "Time in which nothing ran"), &R::idle_ns},
      {part("idle_host_ns", "host late", "Idle until work that was launched after the idle time began"),
       &R::idle_host_ns},
      {part("idle_kernel_ns", "kernel to kernel",
            "Idle for less than 30 µs, unless told otherwise, with the next work launched in time"),
       &R::idle_kernel_ns},
      {part("idle_other_ns", "other", "Idle for another reason, or the capture does not tell"), &R::idle_other_ns},
      {part("not_recorded_ns", "not recorded",
            "Neither busy nor idle: work ran whose records are lost, as the captures of graphs tell; none where they "
            "tell of none")
           .or_null()
           .or_absent(),
       [](const L& l) { return only_if(l.row.not_recorded_ns > 0, l.row.not_recorded_ns); }},
      {count_field("gaps", "gaps", "Times in which nothing ran"), &R::gaps},
      {count_field("queue_max", "queue", "The most work launched that had not begun"), &R::queue_max},
      {time_field("queue_integral_ns", "queued", "How long all work waited after its launch, added up"),
       &R::queue_integral_ns},
  };
}

Fields<ComparisonLine> comparison_fields(KernelJoin join) {
  using L = ComparisonLine;
  using R = ComparedKernel;
  const auto of = static_cast<std::size_t>(join);
  const FieldInfo key = text_field(kJoinKeys[of], kKernelJoinNames[of], "What the kernels of both have in common");
  return {
      {text_field("class", "class", "A kernel, or a copy or setting of memory").one_of(kClasses).or_absent(),
       [](const L& l) { return only_if(!is_of_operators(l.join), class_of(l.row.work)); }},
      {is_of_operators(join) ? key.or_null() : key,
       [](const L& l) {
         const bool is_known = !l.row.name.empty() || !is_of_operators(l.join);
         return is_known ? field_value(std::string_view(l.row.name)) : FieldValue();
       }},
      {count_field("occurrence", "occurrence", "Its place among the launches of its name in its step, from 1")
           .or_absent(),
       [](const L& l) { return only_if(l.join == KernelJoin::kOccurrence, l.row.occurrence); }},
      {count_field("a_calls", "A calls", "How often it was called in A and launched work").or_null().or_absent(),
       of_calls(&R::a)},
      {count_field("b_calls", "B calls", "The same in B").or_null().or_absent(), of_calls(&R::b)},
      {count_field("a_launches", "A launches", "How often it ran in A"), of_side(&R::a, &R::Side::launches)},
      {count_field("b_launches", "B launches", "How often it ran in B"), of_side(&R::b, &R::Side::launches)},
      {time_field("a_total_ns", "A total", "Nanoseconds of all launches in A"), of_side(&R::a, &R::Side::total_ns)},
      {time_field("b_total_ns", "B total", "Nanoseconds of all launches in B"), of_side(&R::b, &R::Side::total_ns)},
      {amount_field(
           "a_median_ns", "A median", kNanoseconds,
           "Of the middle launch in A; where rows are of operators, of the middle call: of all that it launched")
           .or_null(),
       [](const L& l) { return median_of(l.row.a); }},
      {amount_field("b_median_ns", "B median", kNanoseconds, "The same in B").or_null(),
       [](const L& l) { return median_of(l.row.b); }},
      {count_field("delta_launches", "more launches", "B's less A's"), &R::delta_launches},
      {count_field("delta_total_ns", "change", "B's time less A's", kMoreNanoseconds), &R::delta_total_ns},
      {amount_field("total_ratio", "B/A", kRatio, "B's time by A's; null where A has none").or_null(), &R::total_ratio},
      {FieldInfo{"median_change_ns", "median change (95 %)", FieldKind::kRange,
                 "Between what the change of the median lies, with 95 % likelihood: told of five launches, or calls, "
                 "and more",
                 kMoreNanoseconds}
           .or_null(),
       &R::median_change_ns},
      {text_field("state", "state", "Whether it was added, removed, or is in both").one_of(kStates), &R::state},
      {text_field("change_word", "state", "Whether it was added, removed, changed, or takes as long as before").extra(),
       [](const L& l) { return change_word_of(l.row); }},
      {text_field("label", kKernelJoinNames[of]).extra(), [](const L& l) { return label_of(l.row); }},
  };
}

}  // namespace vizd
