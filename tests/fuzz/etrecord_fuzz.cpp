// Reads arbitrary bytes as an ETRecord, makes its graphs a capture's, and compares its reference outputs with one
// another; and the same bytes as a .npy and as what PyTorch saved.
#include <cstddef>
#include <cstdint>

#include "base/assert.h"
#include "formats/etdump/export_graphs.h"
#include "formats/etdump/torch_values.h"
#include "reference/inspector/npy.h"
#include "reference/inspector/numeric_gap.h"
#include "reference/inspector/value_summary.h"

using namespace vizd;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::span<const std::byte> bytes(reinterpret_cast<const std::byte*>(data), size);
  if (const auto tensor = inspector::read_npy(bytes, "fuzz")) (void)inspector::summarize(*tensor);
  (void)etdump::read_saved_values(bytes, nullptr, "fuzz");
  (void)etdump::read_exported_program(bytes, "fuzz");
  const auto record = etdump::read_etrecord(bytes, "fuzz");
  if (!record) return 0;
  for (const etdump::Method& method : record->methods) {
    for (const auto& outputs : method.reference_outputs) {
      (void)inspector::program_output_gaps(outputs, method.reference_outputs.front());
      inspector::ReferenceValues reference;
      for (const auto& [instruction, handles] : method.debug_handles) reference[{handles.back()}] = {outputs, false};
      std::vector<inspector::GapEvent> events;
      for (const auto& [instruction, handles] : method.debug_handles)
        events.push_back({"DELEGATE_CALL", instruction, handles, {"op"}, false, outputs});
      (void)inspector::output_gaps(method, events, reference);
      (void)inspector::inspector_gaps(*record, events, reference, inspector::GapMetric::kMse);
    }
  }
  Capture capture;
  etdump::DumpBlocks dump;
  dump.record = &*record;
  etdump::add_graphs(dump, {}, capture);
  for (const Pass& pass : capture.rewrites.passes) VIZD_ASSERT(index(pass.sink) < capture.ops.size());
  for (const Match& match : capture.rewrites.matches) VIZD_ASSERT(index(match.after) < capture.ops.size());
  return 0;
}

#ifdef VIZD_FUZZ
#include "fuzz/zip_mutation.h"

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t max_size,
                                               unsigned seed) {
  return fuzz::change_input(data, size, max_size, seed, fuzz::change_zip);
}
#endif
