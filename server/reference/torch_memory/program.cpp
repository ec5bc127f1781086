// PyTorch's memory_viz and `_memory_viz.py stats`: the sums that people know of a memory snapshot, and what else vizd
// has of it in that shape. Any thread.
#include "reference/programs.h"
#include "reference/torch_memory/records.h"

namespace vizd::reference::torch_memory {
namespace {

using vizd::torch_memory::MemoryFile;
using vizd::torch_memory::Record;

Result<void> summarize(OpenSet& set, const Capture&, const SummaryOptions&, const WriteText& write) {
  for (std::size_t i = 0; i < set.size(); ++i) {
    const auto input = set.open(i);
    if (!input) return input.error();
    const auto file = MemoryFile::open(*input);
    if (!file) return set.blame(i, file.error());
    tell_summary(**file, [&](const Record& record) { write(json_line(record)); });
  }
  return {};
}

}  // namespace

extern const ReferenceProgram kProgram;
constinit const ReferenceProgram kProgram{.format = "torch-memory", .summarize = summarize};

}  // namespace vizd::reference::torch_memory
