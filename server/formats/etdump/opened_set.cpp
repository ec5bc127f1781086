#include "formats/etdump/opened_set.h"

#include <filesystem>
#include <utility>

#include "formats/etdump/claim.h"
#include "formats/unpack.h"

namespace vizd::etdump {

namespace {

// None of what is small, packed, or no file: that is read whole.
std::shared_ptr<const SparseFile> open_large(const InputFile& file, SparseFile::Access access) {
  constexpr std::uintmax_t kLargeBytes = std::uintmax_t{16} << 20;
  std::error_code failed;
  const auto size = std::filesystem::file_size(file.path, failed);
  if (failed || size < kLargeBytes) return nullptr;
  auto opened = SparseFile::open(file.path, access);
  if (!opened || packing_of(opened->bytes()) != Packing::kNone) return nullptr;
  return std::make_shared<const SparseFile>(std::move(*opened));
}

}  // namespace

Result<OpenedSet> open_all(OpenSet& set) {
  OpenedSet opened;
  auto settings = read_settings(set);
  if (!settings) return settings.error();
  opened.settings = *std::move(settings);
  for (std::size_t i = 0; i < set.size(); ++i) {
    const InputFile& listed = set.file(i);
    if (listed.role == kDebugBuffer &&
        (opened.large_buffer = open_large(listed, SparseFile::Access::kHereAndThere)) != nullptr) {
      opened.debug_buffer = opened.large_buffer->bytes();
      continue;
    }
    if (listed.role == kDump && (opened.large_dump = open_large(listed, SparseFile::Access::kInOrder)) != nullptr) {
      auto file = EtdumpFile::open(opened.large_dump->bytes(), listed.path, opened.large_dump);
      if (!file) return set.blame(i, std::move(file).error());
      opened.file = *std::move(file);
      continue;
    }
    const auto input = set.open(i);
    if (!input) return input.error();
    const bool is_record = input->role == kRecord || (input->role != kDebugBuffer && looks_like_zip(input->bytes));
    if (is_record) {
      auto record = read_etrecord(input->bytes, input->name);
      if (!record) return set.blame(i, std::move(record).error());
      opened.record = *std::move(record);
    } else if (input->role == kProgram || (input->role != kDebugBuffer && looks_like_program(input->bytes))) {
      auto program = read_program(input->bytes, input->name);
      if (!program) return set.blame(i, std::move(program).error());
      opened.program = *std::move(program);
    } else if (input->role == kDebugBuffer) {
      opened.debug_buffer = input->bytes;
    } else {
      auto file = EtdumpFile::open(input->bytes, input->name);
      if (!file) return set.blame(i, std::move(file).error());
      opened.file = *std::move(file);
    }
  }
  if (opened.record && !opened.settings.reference_graph.empty())
    VIZD_TRY(choose_reference(*opened.record, opened.settings.reference_graph, opened.settings.method));
  if (!opened.file && opened.record && !opened.program) opened.program = contents_of(*opened.record);
  return opened;
}

Result<OpenedSet> open_dump(OpenSet& set) {
  auto opened = open_all(set);
  if (opened && !opened->file)
    return set.blame(0,
                     {ErrorKind::kBadInput, "is a program without a run; name the ETDump with it", set.file(0).path});
  return opened;
}

Result<void> check_whole(OpenSet& set, const OpenedSet& opened) {
  const auto was_cut = [](const std::shared_ptr<const SparseFile>& file) { return file != nullptr && file->was_cut(); };
  for (std::size_t i = 0; i < set.size(); ++i) {
    const bool is_cut = set.file(i).role == kDebugBuffer ? was_cut(opened.large_buffer)
                        : set.file(i).role == kDump      ? was_cut(opened.large_dump)
                                                         : false;
    if (is_cut)
      return set.blame(
          i, {ErrorKind::kBadInput, "became shorter while it was read; is it still being written?", set.file(i).path});
  }
  return {};
}

}  // namespace vizd::etdump
