#include "formats/torch_memory/format.h"

#include <algorithm>
#include <cstring>
#include <string_view>

#include "formats/pickle/machine.h"
#include "formats/pickle/opcodes.h"
#include "formats/torch_memory/answers/memory_file.h"
#include "formats/torch_memory/keys.h"
#include "formats/torch_memory/tracks.h"
#include "formats/torch_memory/viz_page.h"

namespace vizd::torch_memory {
namespace {

using pickle::Opcode;

constexpr std::string_view kTopKeys[] = {"segments",      "device_traces", "allocator_settings", "external_annotations",
                                         "host_segments", "host_traces"};

// Looks at a pickle's first opcodes.
class Beginning {
 public:
  explicit Beginning(std::string_view bytes) : rest_(bytes) {}

  bool take(Opcode opcode, std::size_t operand_bytes = 0) {
    if (rest_.empty() || static_cast<Opcode>(rest_.front()) != opcode || rest_.size() <= operand_bytes) return false;
    rest_.remove_prefix(1 + operand_bytes);
    return true;
  }
  // What may stand between an empty container and what is put into it.
  void skip_memo_and_mark() {
    const bool has_memo = take(Opcode::kMemoize) || take(Opcode::kBinPut, 1) || take(Opcode::kLongBinPut, 4);
    static_cast<void>(has_memo);
    take(Opcode::kMark);
  }
  // "" where no text stands there.
  std::string_view text() const {
    constexpr std::size_t kShortHead = 2, kLongHead = 5;
    if (rest_.size() < kLongHead) return {};
    if (static_cast<Opcode>(rest_[0]) == Opcode::kShortBinUnicode)
      return rest_.substr(kShortHead, static_cast<unsigned char>(rest_[1]));
    std::uint32_t size = 0;
    std::memcpy(&size, rest_.data() + 1, sizeof(size));
    return static_cast<Opcode>(rest_[0]) == Opcode::kBinUnicode ? rest_.substr(kLongHead, size) : std::string_view();
  }

 private:
  std::string_view rest_;
};

}  // namespace

bool sniff(const FileBeginning& beginning) {
  if (is_viz_page(beginning.text())) return true;
  if (!pickle::looks_like_pickle(beginning.bytes)) return false;
  const std::string_view all = beginning.text();
  const auto holds = [&](std::string_view text) { return all.find(text) != std::string_view::npos; };
  Beginning first(all.substr(2));
  first.take(Opcode::kFrame, sizeof(std::uint64_t));
  if (first.take(Opcode::kEmptyDict)) {
    first.skip_memo_and_mark();
    const bool is_known = std::ranges::find(kTopKeys, first.text()) != std::end(kTopKeys);
    return is_known || (holds("segments") && holds("device_traces"));
  }
  if (!first.take(Opcode::kEmptyList)) return false;
  first.skip_memo_and_mark();
  if (!first.take(Opcode::kEmptyDict)) return false;
  first.skip_memo_and_mark();
  return key_of(first.text()) != Key::kOther && holds("total_size");
}

namespace {

void add(std::unique_ptr<Snapshot> snapshot, Capture& capture) {
  for (const auto& [reason, count] : snapshot->skipped) capture.skipped[reason] += count;
  for (const std::string& warning : snapshot->warnings) capture.warnings.push_back(warning);
  for (const std::string& note : snapshot->notes) capture.notes.push_back(note);
  MemoryFile file(std::move(snapshot), MemoryFile::Run::kLater);
  add_tracks(file, capture);
  capture.has_profile = true;
  capture.format = kFormat.name;
}

// A snapshot is written once; a copy of it would be most of the memory that reading takes.
constexpr std::size_t kMappedFromBytes = std::size_t{16} << 20;

// The files are closed before anything is made of them: a snapshot refers to none of their bytes.
Result<void> read_set(OpenSet& set, Capture& capture) {
  set.map_from(kMappedFromBytes);
  std::vector<std::unique_ptr<Snapshot>> snapshots;
  VIZD_TRY(set.read_each([&](const FormatInput& input) -> Result<void> {
    auto snapshot = read_snapshot(input);
    if (!snapshot) return std::move(snapshot).error();
    snapshots.push_back(std::move(*snapshot));
    return {};
  }));
  for (auto& snapshot : snapshots) add(std::move(snapshot), capture);
  return {};
}

Result<void> read_beginning(OpenSet& set, unsigned parts, Capture& capture) {
  set.map_from(kMappedFromBytes);
  return set.read_each([&](const FormatInput& input) -> Result<void> {
    auto snapshot = read_first_entries(input, parts);
    if (!snapshot) return std::move(snapshot).error();
    MemoryFile file(std::move(*snapshot), MemoryFile::Run::kLater);
    add_first_curves(file, capture);
    capture.has_profile = true;
    capture.format = kFormat.name;
    return {};
  });
}

}  // namespace

Result<void> read(const FormatInput& input, Capture& capture) {
  auto snapshot = read_snapshot(input);
  if (!snapshot) return std::move(snapshot).error();
  add(std::move(*snapshot), capture);
  return {};
}

constexpr std::string_view kExamples[] = {"golden/torch_memory/train/input/", "golden/torch_memory/cpp/input/",
                                          "golden/torch_memory/expandable/input/"};

constinit const Format kFormat{
    .name = "torch-memory",
    .suffix = ".pickle",
    .hint = {.files = "the snapshot that torch.cuda.memory._dump_snapshot() writes",
             .how_to_make =
                 "To record the memory of a PyTorch program, call these before and after the code of interest:",
             .command =
                 "torch.cuda.memory._record_memory_history(); …; torch.cuda.memory._dump_snapshot(\"x.pickle\")"},
    .examples = kExamples,
    .sniff = sniff,
    .read = read_set,
    .read_beginning = read_beginning,
};

}  // namespace vizd::torch_memory
