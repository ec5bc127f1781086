// The words of Chrome's and PyTorch's traces that mean something to vizd: categories of events, and the names of
// arguments and facts under which a reader keeps what has no other place in the model, so that it can be counted and
// written again. Those begin with a point; people are not shown them. Pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "model/capture.h"

namespace vizd::trace {

// Whether the capture is of a trace, or of several, so that its records can be counted and written again.
bool is_of_trace(const Capture& capture);

// Members of an event that are none of its arguments are kept as arguments under their name with this before it; so
// are arguments and facts whose own name begins with it.
inline constexpr std::string_view kMemberPrefix = ".";
// What a file's own name is kept as, so that it is not taken for one of vizd's; and the way back.
inline std::string kept_name(std::string_view name) {
  return name.starts_with(kMemberPrefix) ? std::string(kMemberPrefix).append(name) : std::string(name);
}
constexpr bool is_own_name(std::string_view name) {
  return name.starts_with(kMemberPrefix) && !name.substr(kMemberPrefix.size()).starts_with(kMemberPrefix);
}
constexpr std::string_view file_name(std::string_view kept) {
  return kept.starts_with(kMemberPrefix) ? kept.substr(kMemberPrefix.size()) : kept;
}

// What people are shown of the name of an argument or fact; none: it is vizd's own. is_trace: is_of_trace(capture),
// as elsewhere a point has no meaning.
constexpr std::optional<std::string_view> shown_name(std::string_view kept, bool is_trace) {
  if (!is_trace) return kept;
  if (is_own_name(kept)) return std::nullopt;
  return file_name(kept);
}

inline constexpr std::string_view kPhase = ".ph";             // where it is not what the event's kind is written as
inline constexpr std::string_view kId = ".id";                // of an asynchronous event or an object
inline constexpr std::string_view kScope = ".s";              // of an instant, where it is not its thread
inline constexpr std::string_view kCategory = ".cat";         // where it is there and empty, or no text
inline constexpr std::string_view kEndCategory = ".end.cat";  // of the record that ends a span, where that has one
inline constexpr std::string_view kEndThread = ".end.tid";    // likewise, where it is another than the begin's
inline constexpr std::string_view kOtherArguments = ".args";  // where they are no object

// The member of a trace made of several that says what each of them was.
inline constexpr std::string_view kCombined = "combinedTraces";

// A fact of a rank's track: how it was laid on the first rank's clock.
inline constexpr std::string_view kClockAlignment = "clock";

// Stands for the empty category of a flow's end or a counter, which have no arguments.
inline constexpr std::string_view kEmptyCategory = ".empty";

// What a format of slices has no words for.
inline constexpr std::string_view kAsynchronous = ".asynchronous";
inline constexpr std::string_view kError = ".error";
inline constexpr std::string_view kWithoutId = ".no id";

inline constexpr std::string_view kMissing = "None";  // what stands for a missing phase or category
inline constexpr std::string_view kMemoryEvent = "[memory]";
inline constexpr std::string_view kStepPrefix = "ProfilerStep";

// Facts, of a rank's track where there is one: how many events of a phase, its subject, have no time; and what is to be
// added to the profile's times for the file's own.
inline constexpr std::string_view kWithoutTime = ".events without a time";
inline constexpr std::string_view kTimeOffset_ns = ".time offset";

// Whether times may be moved so far: every one (model/profile.h) is a number of 64 bits then, and so is the difference
// of two such offsets.
constexpr bool is_possible_offset(std::int64_t offset_ns) {
  constexpr std::int64_t kMostOffset_ns = std::int64_t{1} << 62;
  return offset_ns > -kMostOffset_ns && offset_ns < kMostOffset_ns;
}

// Whether that value can be one of those facts, where a file tells it: a possible offset, or a count that is none
// below 0.
bool is_possible_fact(std::string_view name, const ArgumentValue& value);

enum class Work : std::uint8_t { kNone, kKernel, kMemcpy, kMemset };

// What keeps a device busy, by category and name.
inline Work work_of(std::string_view category, std::string_view name) {
  if (category == "kernel" || category == "Kernel") return Work::kKernel;
  if (category == "gpu_memcpy" || category == "Memcpy") return Work::kMemcpy;
  if (category == "gpu_memset" || category == "Memset") return Work::kMemset;
  if (category == "mtia_ccp_events") return name == "dma_request" ? Work::kMemcpy : Work::kKernel;
  return Work::kNone;
}

// A call of the host's that launches work.
inline bool is_call(std::string_view category) {
  return category == "cuda_runtime" || category == "cuda_driver" || category == "Runtime" || category == "mtia_runtime";
}

inline bool is_operator(std::string_view category) { return category == "cpu_op" || category == "Operator"; }

// Whether only tracks of devices have events of it.
inline bool is_of_device(std::string_view category) {
  return work_of(category, "") != Work::kNone || category == "gpu_user_annotation" || category == "cuda_sync";
}

}  // namespace vizd::trace
