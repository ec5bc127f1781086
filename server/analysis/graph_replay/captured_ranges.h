// CapturedRange: the launches that a stream capture recorded while a program was run once, and what the host was doing
// at each: what names the kernels of a graph's replays. Owns nothing of the trace that it was found in. Plain data.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/devices/device_work.h"
#include "analysis/graph_replay/node_notes.h"
#include "base/string_table.h"
#include "model/capture.h"

namespace vizd {

inline constexpr StringId kNoText{kNoId};

// What the host events around a launch say of it. Texts are of NamingSources::strings; JSON where the profiler has it.
struct LaunchContext {
  std::vector<StringId> operators, stack;  // the outermost first
  StringId module = kNoText, layer = kNoText;
  StringId input_dims = kNoText, input_types = kNoText, concrete_inputs = kNoText;
  std::optional<std::int64_t> layer_index = {}, piece = {};
  std::vector<std::uint32_t> calls;  // of operators: their numbers among all calls of such

  std::uint32_t call() const { return calls.empty() ? kNoId : calls.back(); }  // of the innermost operator
  StringId operator_name() const { return operators.empty() ? kNoText : operators.back(); }
};

struct CapturedLaunch {
  EventRole kind = EventRole::kKernel;
  StringId name = kNoText;  // the kernel's
  LaunchContext says = {};

  bool is_unnamed() const { return kind == EventRole::kKernel && name == kNoText; }
};

// A rank of a job, as text.
using RankName = std::optional<std::string>;

// What a capture's size counts.
enum class SizeUnit : std::uint8_t { kUnknown, kTokens, kRequests };

struct CapturedRange {
  std::string file;                  // its name
  std::uint32_t file_place = kNoId;  // among the capture files; kNoId: captured in the trace that is named
  bool is_self = false;              // likewise
  RankName rank = {};                // of an own file, where it tells
  std::uint32_t group = 0;           // of ranges of one file and label
  std::uint32_t index = 0;           // among those of its group
  std::int64_t begin_ns = 0;         // on its trace's clock
  std::optional<std::int64_t> size = {};
  SizeUnit unit = SizeUnit::kUnknown;
  StringId mode = kNoText;
  std::vector<CapturedLaunch> launches = {};  // in host order
};

// What the captures of a trace and the annotations of its graphs' nodes are read into, one after another. One thread.
struct NamingSources {
  StringTable strings;
  std::vector<CapturedRange> ranges;  // in the order of their files
  NodeNotes notes;                    // by node
  // What files are of whose label or name tells it: no more of them is read yet, and no launch is known.
  std::vector<CapturedRange> unread;
  // Reads those at these places of `unread`, which rise, to the end. Set where there are any.
  std::function<void(NamingSources&, const std::vector<std::size_t>&)> read_more;
  std::vector<std::string> unused;  // what was given and is not used, with the reason
  std::uint32_t group_count = 0, call_count = 0;
  std::size_t launch_count = 0;
};

inline constexpr std::size_t kMostRanges = 65'536;
inline constexpr std::size_t kMostLaunches = 1'048'576;  // of a range
inline constexpr std::size_t kMostLaunchesInAll = 4 * kMostLaunches;

// Adds the stream captures that a trace holds: of a file of that name, or of the trace itself where the name is "".
// root: as find_device_work has it.
void add_captured_ranges(const Capture& trace, std::uint32_t root, const std::string& file, NamingSources& sources);

// The label of a capture that stands first in the beginning of a trace's text; "": none does.
std::string_view find_capture_label(std::string_view beginning);
// What a capture file is of by its label ("": it has none), else by its name; no size where neither tells.
CapturedRange range_told(const std::string& file, std::string_view label, StringTable& strings);

// Whether a call of that name launches a graph: cudaGraphLaunch, cuGraphLaunch, hipGraphLaunch.
inline bool is_graph_launch(std::string_view call) { return call.find("GraphLaunch") != call.npos; }

// The modules among Python's frames, from the outermost: their path, and the first that is a layer.
class ModulePath {
 public:
  void add(std::string_view frame);

  const std::string& path() const { return path_; }  // "": there is none
  const std::string& layer() const { return layer_; }
  const std::optional<std::int64_t>& layer_index() const { return layer_index_; }

 private:
  std::string path_, layer_;
  std::optional<std::int64_t> layer_index_;
};

// The number behind the first of these words in a file's name.
std::optional<std::int64_t> number_behind(std::string_view name, std::initializer_list<std::string_view> words);
// The rank that a trace tells of itself.
RankName rank_told(const Capture& trace, std::uint32_t root);

}  // namespace vizd
