// The words of Chrome's and PyTorch's traces that mean something to vizd: categories of events, and the names of hidden
// arguments and facts under which a trace's reader keeps what has no other place in the model, so that it can be
// counted and written again. Shared by the formats that traces are read from and written to. Pure functions.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "model/capture.h"

namespace vizd::trace {

// The member of an event's record that a hidden argument is kept as: its name, with this before it.
inline constexpr std::string_view kMemberPrefix = ".";
constexpr std::string_view member_name(std::string_view hidden) {
  return hidden.starts_with(kMemberPrefix) ? hidden.substr(kMemberPrefix.size()) : hidden;
}

// In files of other formats, which know names alone, hidden names begin with the prefix, and a trace's own name that
// begins so has it twice.
inline std::string written_name(std::string_view name, bool is_hidden) {
  return !is_hidden && name.starts_with(kMemberPrefix) ? std::string(kMemberPrefix).append(name) : std::string(name);
}

// For a capture that was read from such a file: sets whether it is a trace; if it is, hides what is hidden and marks
// which events are work.
void restore_trace(Capture& capture);

// Marks the capture as a trace's, and which of its events are work.
void tell_roles(Capture& capture);
// The same, for good: when it is written and read again, it is a trace too.
void make_trace(Capture& capture);

inline constexpr std::string_view kPhase = ".ph";             // where it is not what the event's kind is written as
inline constexpr std::string_view kId = ".id";                // of an asynchronous event or an object
inline constexpr std::string_view kScope = ".s";              // of an instant, where it is not its thread
inline constexpr std::string_view kCategory = ".cat";         // where it is there and empty, or no text
inline constexpr std::string_view kEndCategory = ".end.cat";  // of the record that ends a span, where that has one
inline constexpr std::string_view kEndThread = ".end.tid";    // likewise, where it is another than the begin's
inline constexpr std::string_view kOtherArguments = ".args";  // where they are no object

inline constexpr std::string_view kThread = ".tid";        // of a record that stands on another's track
inline constexpr std::string_view kNameEnd = ".name end";  // of a name that ends with its duration: that end

// What the name of a hidden fact begins with which is a member, or a metadata record, too long to be shown.
inline constexpr std::string_view kLongPrefix = ".long ";
// What such a fact, or one that is shown, is called in the file; "": it is none of the file's own.
constexpr std::string_view fact_name(std::string_view name, bool is_hidden) {
  if (!is_hidden) return name;
  return name.starts_with(kLongPrefix) ? name.substr(kLongPrefix.size()) : std::string_view();
}

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
// Whether an event of that name is a step of the workload: as PyTorch's profiler calls it, or Paddle's.
constexpr bool is_step(std::string_view name) {
  return name.starts_with(kStepPrefix) || name.starts_with("ProfileStep#");
}
// The duration in brackets at the end of a name, as Paddle writes it: "[0.120 ms]"; "" where it ends otherwise.
std::string_view duration_in_name(std::string_view name);

// A hidden fact, of a rank's track where there is one: how many events of a phase, its subject, have no time.
inline constexpr std::string_view kWithoutTime = ".events without a time";

// Whether that value can be one of the hidden facts, where a file tells it: a possible offset, or a count that is none
// below 0.
bool is_possible_fact(std::string_view name, const ArgumentValue& value);

// The arguments by which a call and the work that it launched know each other: as PyTorch, Paddle and JAX call them.
inline constexpr std::string_view kCorrelations[] = {"correlation", "correlation id", "correlation_id"};

// The role of an event of that category and name.
EventRole role_of(std::string_view category, std::string_view name);

// Whether only tracks of devices have events of it.
bool is_of_device(std::string_view category);

}  // namespace vizd::trace
