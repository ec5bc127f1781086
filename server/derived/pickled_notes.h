// Annotations of graphs' nodes as PyTorch pickles them: {node: [entry, ..]}. Runs nothing of the pickle. Pure.
#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <string>

#include "analysis/graph_replay/node_notes.h"

namespace vizd {

// Adds the notes. False where it is no such pickle, or something follows it. name is the file's. odd_keys: as with
// read_json_notes().
bool read_pickled_notes(std::span<const std::byte> bytes, const std::string& name, NodeNotes& notes,
                        std::size_t* odd_keys = nullptr);

}  // namespace vizd
