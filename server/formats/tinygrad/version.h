// What sets the captures of one version of tinygrad apart from those of another, as one row of a table: how its files
// are told, what its pickles' enumerations and classes are, and what its ops mean. What all versions share is in
// reading/ and python/; what one version does its own way is in that version's folder. Constant data; any thread.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "formats/pickle/tree.h"
#include "model/capture.h"

namespace vizd::tinygrad {

// An enumeration that pickles refer to by name (Python 3.11.2) or by number (3.11.7 and later). Members are numbered
// from `first` on in the order in which tinygrad declares them, which is the order of names.
struct EnumTable {
  std::string_view type_name;  // "module.Class"
  std::span<const std::string_view> names;
  // Where a version numbers its members otherwise than the one whose dialect it shares: the names as that numbers them,
  // which is how number() does; name() goes by the numbers of pickles.
  std::span<const std::string_view> shared_names = {};
  // Members that the table lacks are taken as well: under numbers from kFirstUnknown on, and where the capture says no
  // name, called by the number it says.
  bool is_open = false;
  std::int64_t first = 1;

  static constexpr std::int64_t kFirstUnknown = 1000;
  static constexpr std::int64_t kUnknownLimit = 60'000;

  std::optional<std::int64_t> number(std::string_view member) const;
  std::optional<std::string_view> name(std::int64_t number) const;
};

// A class that the reader must know more of than its fields' names, which most pickles hold themselves.
enum class ClassKind : std::uint8_t {
  kOther,
  kGetattr,  // builtins.getattr: members of enumerations by name
  kEnum,
  kUOp,
  kKernel,       // holds a syntax tree, by the op's number
  kUnique,       // its objects equal nothing but themselves
  kFloat,        // a float that is known by its bits
  kInstruction,  // an instruction of an AMD GPU, which is known by its bits
};

// Whether a class is the one of that name; of "module.", whether it is of that module or of one in it.
constexpr bool is_named(std::string_view type_name, std::string_view name) {
  return name.ends_with('.') ? type_name.starts_with(name) : type_name == name;
}

struct ClassRow {
  std::string_view type_name;  // as is_named() takes it
  ClassKind kind = ClassKind::kOther;
  std::span<const std::string_view> argument_names = {};  // what its positional arguments are called
};

// What stands at the top of rewrites.pkl: a list of (keys, contexts, ops), or a RewriteTrace with these as fields.
enum class RewritesTop : std::uint8_t { kTuples, kTrace };

// One execution of a compiled kernel: the last launch ("exec" point) of its program before the event.
struct KernelExecution {
  const Program& program;
  ValueId var_vals;  // dict of name to integer: the variables of the launch
  ValueId metadata;  // tuple of Metadata, or none
};

// What an execution had to do.
struct ExecutionWork {
  ArgumentValue flop, memory_bytes, load_store_bytes;  // numbers
  std::string metadata;                                // as the compiler prints it
};
// Nothing where that is not known.
using MeasureExecution =
    std::function<std::optional<ExecutionWork>(const Capture& capture, const KernelExecution& execution)>;

// How a version's profile tells what all have.
struct ProfileRules {
  std::string_view clock_field = "comp_tdiff";  // of a ProfileDeviceEvent: how far its clock is behind
  std::string_view copy_clock_field = "copy_tdiff";
  // Launches are numbered and tell their program and buffers; items have their size in bits.
  bool numbers_launches = false;
  bool has_profile_keys = false;  // events are linked by their profile_key
  bool links_by_name = false;     // events without a profile_key, by their name
  // What a kernel had to do, by its context, as the viewer words it for an execution; null where measure_executions()
  // tells it.
  std::string (*describe_work)(const Capture& capture, ContextId context, ValueId var_vals, double dur_us) = nullptr;
};

struct Version {
  std::string_view month;   // of the commit it was taken from: "2025-09"
  std::string_view format;  // what Capture::format says: "tinygrad-2025-09"
  RewritesTop rewrites_top = RewritesTop::kTuples;
  // Whether the ops of a pickle are numbered as this version numbers them; null where versions differ in more than
  // that.
  bool (*fits)(const pickle::Tree& tree) = nullptr;
  // Fields of a ProfileRangeEvent or ProfileDeviceEvent that tell this version from older ones: any of them.
  std::span<const std::string_view> profile_fields = {};
  std::span<const EnumTable> enums;  // that of the ops first: the number of one is Op::kind
  std::span<const ClassRow> classes;
  // Where the version has no table of ops: their names by the capture's numbers, from 1, "" of those that it cannot
  // tell. Where it tells none, members of the other enumerations go by their numbers too. May be null.
  std::vector<std::string_view> (*tell_ops)(const pickle::Tree& tree) = nullptr;
  // Null where captures of the version are recognised but not read.
  std::unique_ptr<Dialect> (*make_dialect)(Capture& capture) = nullptr;
  MeasureExecution (*measure_executions)() = nullptr;
  // Completes the rewrites of a capture, once they are read; may be null.
  void (*complete)(Capture& capture) = nullptr;
  // What people need to know of captures of the version that are whole: how far vizd follows it; may be empty.
  std::string_view note = {};
  // What the profile of the version has in its own way.
  ProfileRules profile{};
};

// All versions, the oldest first.
std::span<const Version* const> versions();

// The version whose captures have this Capture::format, or null.
const Version* version_by_format(std::string_view format);
// The version that wrote a rewrites.pkl, by its top object; null where the tree is none.
const Version* rewrites_version(const pickle::Tree& tree);
// The version that wrote a profile.pkl, by its events; null where the tree is none. An empty list is one of no events.
const Version* profile_version(const pickle::Tree& tree);

}  // namespace vizd::tinygrad
