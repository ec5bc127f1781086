#include "derived/check_naming.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <unordered_set>
#include <variant>

#include "analysis/figures/argument_cursor.h"
#include "base/mapped_file.h"
#include "base/parse_json.h"
#include "derived/naming_sources.h"
#include "formats/file_beginning.h"
#include "formats/registry.h"
#include "formats/sniffer.h"
#include "formats/unpack.h"

namespace vizd {
namespace {

// Annotations as they were read, for comparing them with those of other ranks.
struct ReadNotes {
  std::string path;
  NodeNotes notes;
};

// The nodes of graphs that ran, as annotations name them: the graph's id above that of the node in it.
std::unordered_set<std::uint64_t> nodes_that_ran(const Capture& capture) {
  constexpr std::int64_t kLocalId = 0xFFFFFFFF;
  std::unordered_set<std::uint64_t> nodes;
  const auto number = [](const std::optional<ArgumentValue>& value) {
    const auto* const whole = value ? std::get_if<std::int64_t>(&*value) : nullptr;
    return whole != nullptr && *whole >= 0 ? *whole : 0;
  };
  for (const Track& track : capture.profile.tracks) {
    ArgumentCursor graph(track, "graph id", capture.strings), node(track, "graph node id", capture.strings);
    if (node.empty()) continue;
    for (std::uint32_t event = 0; event < track.events.size(); ++event) {
      const std::int64_t id = number(node.at(event)), of = number(graph.at(event));
      if (id > 0)
        nodes.insert(id > kLocalId ? static_cast<std::uint64_t>(id)
                                   : static_cast<std::uint64_t>(of) << 32 | static_cast<std::uint64_t>(id));
    }
  }
  return nodes;
}

class NamingCheck {
 public:
  void check(const std::string& path) {
    if (holds_nothing(path)) return tell(path, "is empty");
    if (is_annotations(path)) return check_annotations(path);
    if (is_capture_file(path)) check_capture(path);
  }

  // Ranks that run the same graphs annotate the same nodes: of two files that name mostly the same ones, a node that
  // ran and that one of the two leaves out is told.
  void compare_ranks(const std::unordered_set<std::uint64_t>& ran) {
    if (read_.size() < 2) return;
    const auto most = std::ranges::max_element(read_, {}, [](const ReadNotes& read) { return read.notes.size(); });
    for (auto other = read_.begin(); other != read_.end(); ++other) {
      std::size_t common = 0, lacking = 0;
      for (const auto& [node, note] : most->notes) {
        if (other->notes.contains(node)) {
          ++common;
        } else if (ran.contains(node)) {
          ++lacking;
        }
      }
      if (lacking == 0 || 10 * common < 9 * most->notes.size()) continue;
      tell(other->path, fmt::format("tells nothing of {} nodes that ran and that {} names, and of {} others it does: a "
                                    "part of it may be gone",
                                    lacking, most->path, common));
    }
  }

  std::vector<NamingProblem> take_problems() { return std::move(problems_); }

 private:
  void tell(const std::string& path, std::string text) { problems_.push_back({path, std::move(text)}); }

  void check_annotations(const std::string& path) {
    ReadNotes read{path, {}};
    std::size_t odd_keys = 0;
    if (!read_notes_of(path, read.notes, &odd_keys)) return tell(path, std::string(kNotWhole));
    if (odd_keys > 0) tell(path, fmt::format("{} of its keys are no node, or there twice", odd_keys));
    read_.push_back(std::move(read));
  }

  void check_capture(const std::string& path) {
    const Format* const format = Sniffer().format_of(path);
    if (format == nullptr) return check_json(path);
    if (format->name != "chrome") return;
    const Reading reading = load_recorded({format, path, {{"capture", path}}});
    for (const auto& error : reading.errors) {
      if (error) tell(path, error->text());
    }
    if (reading.loaded == nullptr) return;
    for (const std::string& warning : reading.loaded->capture.warnings) tell(path, warning);
    for (const auto& [reason, count] : reading.loaded->capture.skipped)
      tell(path, fmt::format("{} left out: {}", count, reason));
  }

  // Checks a file of a format that vizd does not read: other tools leave JSON of their own there.
  void check_json(const std::string& path) {
    const auto file = MappedFile::open(path);
    if (!file) return tell(path, file.error().text());
    if (packing_of(file->bytes()) == Packing::kNone) return check_json_text(path, file->bytes());
    const auto unpacked = unpack(file->bytes(), path);
    if (!unpacked) return tell(path, unpacked.error().text());
    check_json_text(path, {unpacked->data(), unpacked->size()});
  }

  void check_json_text(const std::string& path, std::span<const std::byte> bytes) {
    if (const auto at = find_json_error({reinterpret_cast<const char*>(bytes.data()), bytes.size()}))
      tell(path, fmt::format("is no JSON any more at its byte {}", *at));
  }

  std::vector<ReadNotes> read_;
  std::vector<NamingProblem> problems_;
};

}  // namespace

std::vector<NamingProblem> check_naming_sources(const LoadedCapture& loaded) {
  NamingCheck check;
  for (const std::string& path : naming_files_of(loaded)) check.check(path);
  check.compare_ranks(nodes_that_ran(loaded.capture));
  return check.take_problems();
}

}  // namespace vizd
