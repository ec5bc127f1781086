#include "derived/capture_files.h"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include "base/parallel.h"
#include "formats/file_beginning.h"
#include "formats/registry.h"
#include "formats/unpack.h"
#include "session/loaded_capture.h"

namespace vizd {
namespace {

std::string file_name_of(const std::string& path) { return std::filesystem::path(path).filename().string(); }

RankName rank_in_name(const std::string& name) {
  const auto rank = number_behind(name, {"rank_", "rank", "TP-"});
  return rank ? RankName(std::to_string(*rank)) : std::nullopt;
}

class CaptureFiles {
 public:
  explicit CaptureFiles(std::vector<std::string> paths) : paths_(std::move(paths)), formats_(paths_.size()) {}

  // Returns the places of the files to read at once. The others wait in `unread`.
  std::vector<std::uint32_t> look(NamingSources& sources) {
    std::vector<std::string> labels(paths_.size());
    for_each_index(paths_.size(), core_count(), [&](std::size_t f) { labels[f] = look_at(f); });
    std::vector<std::uint32_t> at_once;
    for (std::uint32_t f = 0; f < paths_.size(); ++f) {
      if (formats_[f] == nullptr) continue;
      CapturedRange told = range_told(file_name_of(paths_[f]), labels[f], sources.strings);
      told.file_place = f;
      told.rank = rank_in_name(told.file);
      if (told.size && told.rank) {
        sources.unread.push_back(std::move(told));
      } else {
        at_once.push_back(f);
      }
    }
    return at_once;
  }

  // A few at a time, so that they do not lie in memory all at once.
  void read(std::span<const std::uint32_t> places, NamingSources& sources) const {
    for (std::size_t begin = 0; begin < places.size(); begin += core_count()) {
      std::vector<std::unique_ptr<LoadedCapture>> read(std::min<std::size_t>(core_count(), places.size() - begin));
      for_each_index(read.size(), core_count(), [&](std::size_t k) {
        const std::uint32_t f = places[begin + k];
        read[k] = load_recorded({formats_[f], paths_[f], {{"capture", paths_[f]}}}).loaded;
      });
      for (std::size_t k = 0; k < read.size(); ++k) {
        if (read[k]) add(read[k]->capture, places[begin + k], sources);
      }
    }
    std::ranges::stable_sort(sources.ranges, {}, &CapturedRange::file_place);
  }

 private:
  // Its label. Leaves its format null where it is no trace.
  std::string look_at(std::size_t f) {
    const std::vector<std::byte> stored = stored_beginning(paths_[f]);
    const Format* const format = find_format(stored, paths_[f]);
    if (format == nullptr || format->name != "chrome") return {};
    formats_[f] = format;
    GrowingBytes unpacked;
    std::span<const std::byte> bytes = stored;
    if (packing_of(stored) != Packing::kNone) {
      unpacked = unpack_beginning(stored, kSniffedBytes);
      bytes = unpacked;
    }
    return std::string(find_capture_label({reinterpret_cast<const char*>(bytes.data()), bytes.size()}));
  }

  void add(const Capture& capture, std::uint32_t f, NamingSources& sources) const {
    const std::string name = file_name_of(paths_[f]);
    const std::size_t first = sources.ranges.size();
    add_captured_ranges(capture, kNoId, name, sources);
    if (sources.ranges.size() == first) sources.unused.push_back(name + ": holds no stream capture");
    const RankName in_name = rank_in_name(name);
    const RankName rank = in_name ? in_name : rank_told(capture, kNoId);
    for (std::size_t r = first; r < sources.ranges.size(); ++r)
      sources.ranges[r].file_place = f, sources.ranges[r].rank = rank;
  }

  const std::vector<std::string> paths_;
  std::vector<const Format*> formats_;  // null: no trace
};

}  // namespace

void add_capture_files(std::vector<std::string> paths, NamingSources& sources) {
  const auto files = std::make_shared<CaptureFiles>(std::move(paths));
  files->read(files->look(sources), sources);
  if (sources.unread.empty()) return;
  sources.read_more = [files](NamingSources& made, const std::vector<std::size_t>& places) {
    std::vector<std::uint32_t> wanted;
    for (const std::size_t place : places) wanted.push_back(made.unread[place].file_place);
    std::erase_if(made.unread,
                  [&](const CapturedRange& range) { return std::ranges::binary_search(wanted, range.file_place); });
    files->read(wanted, made);
  };
}

}  // namespace vizd
