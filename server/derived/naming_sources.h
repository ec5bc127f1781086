// Finds and reads what names the kernels of a trace's graph replays: capture traces, and annotations of nodes, which
// the user named or which lie beside the trace. Nothing of them becomes part of the trace. Any thread.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/graph_replay/named_replays.h"
#include "analysis/graph_replay/node_notes.h"
#include "formats/input_set.h"
#include "session/loaded_capture.h"

namespace vizd {

// The name of a set's settings that each are the path of a file or folder that the user named beside the trace.
inline constexpr std::string_view kNamingSource = "naming source";

// Returns the paths, among those that the user named, that are not captures but name what is in the first one, a trace:
// folders of capture traces, capture traces, annotations. Looks into the files.
std::vector<std::string> find_naming_paths(const std::vector<std::string>& paths);

// Where a file that comes together with a trace is to lie in the trace's folder so that it names what is in it; "": in
// that folder itself. name: what it was called, with the folders that it was in; path: where it lies now. None: it is a
// capture by itself.
std::optional<std::string> naming_folder_of(const std::string& name, const std::string& path);

// What lies beside a trace: the folder of its captures, in its own folder or the one above; then annotations.
std::vector<std::string> naming_paths_beside(const std::string& trace);

// Reads what the set names, else what lies beside the trace. rank: the place of the trace among those of the set.
std::unique_ptr<NamingSources> read_naming_sources(const LoadedCapture& loaded, std::size_t rank, std::uint32_t root);

// The files of that which names the set's traces, those among them also that name nothing; each once.
std::vector<std::string> naming_files_of(const LoadedCapture& loaded);

// Whether a file is annotations of nodes, by its name; whether it may be a trace of captures.
bool is_annotations(const std::string& path);
bool is_capture_file(const std::string& path);

// Adds the notes of a file of annotations. False where it is not whole, or no annotations. odd_keys: as with
// read_json_notes().
bool read_notes_of(const std::string& path, NodeNotes& notes, std::size_t* odd_keys = nullptr);
inline constexpr std::string_view kNotWhole = "is not whole, or no annotations";

// The replays of graphs in all ranks of a capture, named by these.
std::shared_ptr<const NamedReplays> find_named_replays(const LoadedCapture& loaded,
                                                       std::shared_ptr<const DeviceAnalysis> devices);

// What a capture's devices did, with what captures of graphs tell of it.
struct NamedDevices {
  std::shared_ptr<const DeviceAnalysis> analysis;
  std::shared_ptr<const NamedReplays> replays;  // null: there are neither graphs nor steps of a server
};
NamedDevices analyse_named_devices(const LoadedCapture& loaded);

}  // namespace vizd
