// NodeNote: what PyTorch's annotations say of a graph's node: the name of the range that it was captured in, and the
// module. A note is a list of entries, of which a later one overrides an earlier. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace vizd {

struct NodeNote {
  std::optional<std::string> name, module;

  bool is_empty() const { return !name && !module; }
  // An entry's member; those that mean nothing here are left.
  void take(std::string_view key, std::string_view value);
  // The module, which older annotations have for a name.
  const std::optional<std::string>& module_or_name() const { return module && !module->empty() ? module : name; }
};

// By node. Many nodes may have one note, which a pickle holds once.
using NodeNotes = std::map<std::uint64_t, std::shared_ptr<const NodeNote>>;

// Adds the notes of a file, {node: [entry, ..]}. False where it is no such JSON; the notes before the fault are there.
// odd_keys, where it is not null, grows by the keys that are no node, or one that was there before.
bool read_json_notes(std::string_view json, NodeNotes& notes, std::size_t* odd_keys = nullptr);
// The note of one node: its entries. None where that is no JSON.
std::optional<NodeNote> read_json_note(std::string_view json);

// The layer in a module's path such as model.layers.3.mlp: model.layers.3 and 3. None if no part of it is a number.
struct NotedLayer {
  std::string_view name;
  std::int64_t index;
};
std::optional<NotedLayer> layer_of_module(std::string_view module);

}  // namespace vizd
