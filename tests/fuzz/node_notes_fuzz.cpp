// Reads any bytes as annotations of graphs' nodes: as JSON, as the JSON of one node, and as a pickle.
#include <cstddef>
#include <cstdint>

#include "base/assert.h"
#include "derived/pickled_notes.h"

using namespace vizd;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  NodeNotes notes;
  read_json_notes(text, notes);
  read_pickled_notes({reinterpret_cast<const std::byte*>(data), size}, "fuzz", notes);
  if (const auto note = read_json_note(text)) notes[0] = std::make_shared<const NodeNote>(*note);
  for (const auto& [node, note] : notes) {
    const auto& module = note->module_or_name();
    const auto layer = module ? layer_of_module(*module) : std::nullopt;
    VIZD_ASSERT(!layer || (layer->index >= 0 && module->starts_with(layer->name)));
  }
  return 0;
}
