// Annotations of graphs' nodes as PyTorch pickles them: {node: [entry, ..]}. Runs nothing of the pickle. Pure.
#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <string>

#include "analysis/graph_replay/node_notes.h"

namespace vizd {

// Adds the notes. False where it is no such pickle. name is the file's.
bool read_pickled_notes(std::span<const std::byte> bytes, const std::string& name, NodeNotes& notes);

}  // namespace vizd
