#include "formats/etdump/opened_set.h"

#include <utility>

#include "formats/etdump/claim.h"
#include "formats/etdump/reference_dump.h"

namespace vizd::etdump {

Result<OpenedSet> open_all(OpenSet& set) {
  OpenedSet opened;
  auto settings = read_settings(set);
  if (!settings) return settings.error();
  opened.settings = *std::move(settings);
  for (std::size_t i = 0; i < set.size(); ++i) {
    const auto input = set.open(i);
    if (!input) return input.error();
    const bool is_record = input->role == kRecord || (input->role != kDebugBuffer && looks_like_zip(input->bytes));
    if (is_record) {
      auto record = read_etrecord(input->bytes, input->name);
      if (!record) return set.blame(i, std::move(record).error());
      opened.record = *std::move(record);
    } else if (input->role == kDebugBuffer) {
      opened.debug_buffer = input->bytes;
    } else {
      auto file = EtdumpFile::open(input->bytes, input->name);
      if (!file) return set.blame(i, std::move(file).error());
      opened.file = *std::move(file);
    }
  }
  if (!opened.settings.reference_dump.empty()) {
    const auto found = find_dump(opened.settings.reference_dump);
    if (!found) return found.error();
    auto reference = open_reference(*found, opened.settings.iteration);
    if (!reference) return reference.error();
    opened.reference = *std::move(reference);
  }
  return opened;
}

}  // namespace vizd::etdump
