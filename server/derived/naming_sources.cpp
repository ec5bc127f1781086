#include "derived/naming_sources.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <span>

#include "analysis/graph_replay/captured_operators.h"
#include "analysis/graph_replay/kept_names.h"
#include "analysis/graph_replay/name_scan.h"
#include "base/mapped_file.h"
#include "derived/capture_files.h"
#include "derived/pickled_notes.h"
#include "formats/byte_stream.h"
#include "formats/sniffer.h"

namespace vizd {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kCaptureFolders[] = {"capture_traces", "graph_capture_profile"};
constexpr std::string_view kAnnotations = "kernel_annotations";
constexpr std::size_t kMostFiles = 4096;

std::string base_of(const std::string& path) { return fs::path(path).filename().string(); }

bool is_folder(const std::string& path) {
  std::error_code failed;
  return fs::is_directory(path, failed);
}

bool is_capture_folder(const std::string& path) {
  const std::string name = base_of(path);
  return std::ranges::find(kCaptureFolders, name) != std::end(kCaptureFolders);
}

bool is_trace(const std::string& path) {
  const Format* const format = Sniffer().format_of(path);
  return format != nullptr && format->name == "chrome";
}

// Whether a trace holds stream captures and is not itself what they are for: it replays no graph, or its name says so.
bool is_capture_trace(const std::string& path, const std::string& name) {
  constexpr std::string_view kBegin = "StreamBeginCapture", kLaunch = "GraphLaunch";
  if (!is_trace(path)) return false;
  const auto stream = ByteStream::open(path);
  if (!stream) return false;
  const bool is_named_so = name.find("capture") != name.npos || name.find("bs_") != name.npos;
  bool captures = false, replays = false;
  std::string text;
  for (auto part = (*stream)->next(); !part.empty(); part = (*stream)->next()) {
    text.append(reinterpret_cast<const char*>(part.data()), part.size());
    captures = captures || text.find(kBegin) != text.npos || (is_named_so && !find_capture_label(text).empty());
    replays = replays || text.find(kLaunch) != text.npos;
    if (captures && (replays || is_named_so)) break;
    text.erase(0, text.size() - std::min(text.size(), kBegin.size()));  // a word may stand across two parts
  }
  return captures && (!replays || is_named_so);
}

std::vector<std::string> files_of(const std::string& path) {
  if (!is_folder(path)) return {path};
  return files_in(path);
}

bool is_naming_path(const std::string& path) {
  const auto names = [](const std::string& file) {
    return is_annotations(file) || is_capture_trace(file, base_of(file));
  };
  if (!is_folder(path)) return names(path);
  if (is_capture_folder(path)) return true;
  const std::vector<std::string> files = files_in(path);
  const bool has_own =
      std::ranges::any_of(files, [&](const std::string& file) { return is_trace(file) && !names(file); });
  return !has_own && std::ranges::any_of(files, names);
}

// The number before the first point of a trace's name.
RankName rank_of_name(const std::string& path) {
  const std::string name = base_of(path);
  NameScan scan(name);
  const std::string_view digits = scan.take_while(NameScan::is_digit);
  if (digits.empty() || !scan.take(".")) return std::nullopt;
  std::string_view number = digits;
  number.remove_prefix(std::min(number.find_first_not_of('0'), number.size() - 1));
  return std::string(number);
}

std::vector<std::string> naming_paths_of(const LoadedCapture& loaded, const std::string& trace) {
  std::vector<std::string> paths;
  for (const Setting& setting : loaded.set.settings) {
    if (setting.name == kNamingSource) paths.push_back(setting.value);
  }
  return paths.empty() ? naming_paths_beside(trace) : paths;
}

class SourceReader {
 public:
  explicit SourceReader(const std::string& trace) : trace_(trace), sources_(std::make_unique<NamingSources>()) {}

  std::unique_ptr<NamingSources> read(const std::vector<std::string>& paths, const RankName& rank) {
    std::vector<std::string> captures;
    for (const std::string& path : paths) {
      for (const std::string& file : files_of(path)) {
        if (is_annotations(file)) {
          read_notes(file, rank);
        } else if (is_capture_file(file) && !is_own(file)) {
          captures.push_back(file);
        }
      }
    }
    if (captures.size() > kMostFiles) {
      sources_->unused.push_back(fmt::format("{} of {} capture files are read", kMostFiles, captures.size()));
      captures.resize(kMostFiles);
    }
    add_capture_files(std::move(captures), *sources_);
    keep_rank(rank);
    return std::move(sources_);
  }

 private:
  bool is_own(const std::string& file) const {
    std::error_code failed;
    return fs::equivalent(file, trace_, failed);
  }

  void read_notes(const std::string& path, const RankName& rank) {
    const auto of = number_behind(base_of(path), {"rank_", "rank"});
    if (of && rank && std::to_string(*of) != *rank) {
      sources_->unused.push_back(fmt::format("{}: annotations of rank {}: this is rank {}", base_of(path), *of, *rank));
      return;
    }
    if (!sources_->notes.empty()) {
      sources_->unused.push_back(fmt::format("{}: another file's annotations are taken", base_of(path)));
      return;
    }
    if (!read_notes_of(path, sources_->notes))
      sources_->unused.push_back(fmt::format("{}: {}", base_of(path), kNotWhole));
  }

  // Captures of the trace's own rank, where there are any.
  void keep_rank(const RankName& rank) {
    const auto is_own = [&](const CapturedRange& range) { return range.rank == rank; };
    if (std::ranges::none_of(sources_->ranges, is_own) && std::ranges::none_of(sources_->unread, is_own)) return;
    std::set<std::string> others;
    for (auto* const ranges : {&sources_->ranges, &sources_->unread}) {
      std::erase_if(*ranges, [&](const CapturedRange& range) {
        if (!is_own(range)) others.insert(range.file);
        return !is_own(range);
      });
    }
    if (others.empty()) return;
    sources_->unused.push_back(fmt::format("{} capture file{} of other ranks: this is {}", others.size(),
                                           others.size() == 1 ? "" : "s", rank ? "rank " + *rank : "of no rank"));
  }

  const std::string trace_;
  std::unique_ptr<NamingSources> sources_;
};

}  // namespace

bool is_annotations(const std::string& path) { return base_of(path).starts_with(kAnnotations); }

bool is_capture_file(const std::string& path) { return path.ends_with(".json") || path.ends_with(".json.gz"); }

bool read_notes_of(const std::string& path, NodeNotes& notes, std::size_t* odd_keys) {
  const auto file = MappedFile::open(path);
  const auto bytes = file ? file->bytes() : std::span<const std::byte>();
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  return text.starts_with('\x80') ? read_pickled_notes(bytes, path, notes, odd_keys)
                                  : read_json_notes(text, notes, odd_keys);
}

std::vector<std::string> find_naming_paths(const std::vector<std::string>& paths) {
  std::vector<std::string> naming;
  if (paths.size() < 2 || is_folder(paths.front()) || !is_trace(paths.front())) return naming;
  for (std::size_t i = 1; i < paths.size(); ++i) {
    if (is_naming_path(paths[i])) naming.push_back(paths[i]);
  }
  return naming;
}

std::optional<std::string> naming_folder_of(const std::string& name, const std::string& path) {
  const std::string base = base_of(name);
  if (base.starts_with(kAnnotations)) return "";
  const bool names = is_capture_folder(fs::path(name).parent_path().string()) || is_capture_trace(path, base);
  return names ? std::optional(std::string(kCaptureFolders[0])) : std::nullopt;
}

std::vector<std::string> naming_paths_beside(const std::string& trace) {
  const fs::path here = fs::absolute(trace).parent_path();
  std::vector<std::string> found;
  for (const fs::path& folder : {here, here.parent_path()}) {
    for (const std::string_view name : kCaptureFolders) {
      if (found.empty() && is_folder((folder / name).string())) found.push_back((folder / name).string());
    }
  }
  for (const fs::path& folder : {here, here.parent_path()}) {
    for (const std::string& file : files_in(folder.string())) {
      if (is_annotations(file)) found.push_back(file);
    }
  }
  return found;
}

std::unique_ptr<NamingSources> read_naming_sources(const LoadedCapture& loaded, std::size_t rank, std::uint32_t root) {
  const std::vector<InputFile>& files = loaded.set.files;
  if (files.empty()) return std::make_unique<NamingSources>();
  const std::string trace = files[std::min(rank, files.size() - 1)].path;
  RankName of = rank_told(loaded.capture, root);
  if (!of) of = rank_of_name(trace);
  return SourceReader(trace).read(naming_paths_of(loaded, trace), of);
}

std::vector<std::string> naming_files_of(const LoadedCapture& loaded) {
  std::vector<std::string> files;
  std::set<std::string> seen;
  for (const InputFile& trace : loaded.set.files) seen.insert(trace.path);
  for (const InputFile& trace : loaded.set.files) {
    for (const std::string& path : naming_paths_of(loaded, trace.path)) {
      for (const std::string& file : files_of(path)) {
        if (seen.insert(file).second) files.push_back(file);
      }
    }
  }
  return files;
}

std::shared_ptr<const NamedReplays> find_named_replays(const LoadedCapture& loaded,
                                                       std::shared_ptr<const DeviceAnalysis> devices) {
  return find_named_replays(loaded.capture, std::move(devices), [&loaded](std::size_t rank, std::uint32_t root) {
    return read_naming_sources(loaded, rank, root);
  });
}

NamedDevices analyse_named_devices(const LoadedCapture& loaded) {
  auto own = std::make_shared<const DeviceAnalysis>(analyse_devices(loaded.capture));
  if (!may_have_replays(loaded.capture) && !may_have_steps(loaded.capture)) return {std::move(own), nullptr};
  auto replays = find_named_replays(loaded, std::move(own));
  auto named = with_captured_operators(*replays);
  return {std::move(named), std::move(replays)};
}

}  // namespace vizd
