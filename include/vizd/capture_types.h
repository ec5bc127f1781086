// Types that callers of CaptureWriter (capture_writer.h) hand to it: ids, and structs for what is known of an op, a
// track, a buffer, an event. Plain data. C++17.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>

#include "vizd/capture_format.h"

namespace vizd::capture {

enum class KindId : std::uint32_t {};
enum class OpId : std::uint32_t {};
enum class LocationId : std::uint32_t {};
enum class ContextId : std::uint32_t {};
enum class PassId : std::uint32_t {};
enum class TrackId : std::uint32_t {};
using LaneId = TrackId;  // a track that a lane() made
enum class CounterId : std::uint32_t {};
enum class ArgumentId : std::uint32_t {};  // its number and, in the lowest two bits, its ArgumentType
enum class MeasureId : std::uint32_t {};
enum class StackId : std::uint32_t {};
inline constexpr ContextId kNoContext{0xFFFFFFFFu};
inline constexpr TrackId kNoTrack{0xFFFFFFFFu};
inline constexpr StackId kNoStack{0xFFFFFFFFu};

// An op but for its sources, with the texts that vizd shows. All but the kind may be left out.
struct OpInfo {
  KindId kind{};
  std::string_view dtype = {};
  std::string_view argument = {};
  std::string_view shape = {};
  std::string_view tag = {};
  std::string_view label = {};     // the text of its box, instead of one made of the above
  std::string_view text = {};      // its line in the printed graph, likewise
  std::uint64_t identity = 0;      // tells ops apart that are equal otherwise; the same op in the next whole graph
  ContextId context = kNoContext;  // what it leads to: a kernel's own compilation
  bool inlined = false;            // a line in its users' boxes instead of a box of its own
};

// A node of the tree on which all that devices do hangs. All but the name may be left out.
struct TrackInfo {
  std::string_view name;
  std::string_view kind = {};  // rank, host, process, thread, device, engine, stream, memory, counter, or nothing
  TrackId parent = kNoTrack;
  std::int32_t sort = 0;    // among its siblings, the least first
  std::uint64_t hertz = 0;  // of the clock that timed it
};

// A track under those of its rank, process and device, for programs that know these words rather than a tree. All but
// the name may be left out; a lane named as its device is the device.
struct LaneInfo {
  std::string_view name;
  std::string_view rank = {}, process = {}, device = {}, stream = {};
  std::uint64_t hertz = 0;  // of the clock that timed it
};

// A buffer, beyond its size.
struct AllocationInfo {
  static constexpr std::uint64_t kNoAddress = ~std::uint64_t{0};

  std::string_view what = {};      // the type of its items
  std::string_view category = {};  // "weights", "activations", …
  std::uint64_t address = kNoAddress;
  ContextId context = kNoContext;  // what it leads to
};

// An integer, a real number or a text. The text is not copied: it lives as long as the call that it is handed to.
class Value {
 public:
  template <typename T, std::enable_if_t<std::is_integral_v<T>, int> = 0>
  Value(T value) : type_(ArgumentType::kInteger), integer_(static_cast<std::int64_t>(value)) {}
  Value(double value) : type_(ArgumentType::kReal), real_(value) {}
  Value(std::string_view value) : type_(ArgumentType::kText), text_(value) {}
  Value(const std::string& value) : Value(std::string_view(value)) {}
  Value(const char* value) : Value(std::string_view(value)) {}

  ArgumentType type() const { return type_; }
  // The number, or 0 where int64 cannot hold it.
  std::int64_t integer() const {
    if (type_ != ArgumentType::kReal) return integer_;
    return real_ > -9e18 && real_ < 9e18 ? static_cast<std::int64_t>(real_) : 0;
  }
  double real() const { return type_ == ArgumentType::kReal ? real_ : static_cast<double>(integer_); }
  std::string_view text() const { return text_; }

 private:
  ArgumentType type_;
  std::int64_t integer_ = 0;
  double real_ = 0;
  std::string_view text_;
};

// An event's argument. A number becomes one of its argument's type; a text where a number belongs, or a number where a
// text does, is left out.
struct Argument {
  ArgumentId argument;
  Value value;
};

// Further details of an event. All of them may be left out.
struct EventInfo {
  EventKind kind = EventKind::kSpan;
  std::string_view category = {};  // "gemm", "copy", …
  ContextId context = kNoContext;  // what it leads to: the compilation of what ran
  bool error = false;              // what it did failed
};

}  // namespace vizd::capture
