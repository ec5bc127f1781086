#include "cli/query/rank_push.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <memory>
#include <optional>
#include <utility>

#include "base/content_hash.h"
#include "base/mapped_file.h"
#include "cli/command_line/input.h"
#include "cli/command_line/writers.h"
#include "cli/query/sql_source.h"
#include "formats/claims.h"

namespace vizd {
namespace {

// "rank 12" is 12.
std::optional<std::uint32_t> rank_of_role(std::string_view role) {
  constexpr std::string_view kWord = "rank ";
  if (!role.starts_with(kWord)) return std::nullopt;
  std::uint32_t rank = 0;
  const char* const end = role.data() + role.size();
  const auto [read_to, failed] = std::from_chars(role.data() + kWord.size(), end, rank);
  return failed == std::errc() && read_to == end ? std::optional(rank) : std::nullopt;
}

// Also how many bytes there are.
Result<std::uint64_t> add_content(const InputSet& set, ContentHash& hash) {
  hash.add(store::kSchemaVersion);
  for (const Setting& setting : set.settings) {
    hash.add(std::string_view(setting.name));
    hash.add(std::string_view(setting.value));
  }
  std::uint64_t file_bytes = 0;
  for (const InputFile& file : set.files) {
    hash.add(std::string_view(file.role));
    const auto mapped = MappedFile::open(file.path);
    if (!mapped) return mapped.error();
    hash.add(mapped->bytes());
    file_bytes += mapped->bytes().size();
  }
  return file_bytes;
}

}  // namespace

std::vector<RankInput> ranks_of(const std::vector<InputSet>& sets, std::uint32_t first) {
  std::vector<RankInput> ranks;
  std::uint32_t next = first == kRankNotGiven ? 0 : first;
  for (const InputSet& set : sets) {
    const bool is_of_ranks = set.files.size() > 1 && std::ranges::all_of(set.files, [](const InputFile& file) {
                               return rank_of_role(file.role).has_value();
                             });
    if (!is_of_ranks) {
      ranks.push_back({set, next++});
      continue;
    }
    for (const InputFile& file : set.files) {
      InputSet alone = set;
      alone.name = set_name(file.path);
      alone.files = {{"capture", file.path}};
      ranks.push_back({std::move(alone), *rank_of_role(file.role)});
    }
  }
  return ranks;
}

Result<RankCapture> rank_capture(const InputSet& set, std::shared_ptr<const LoadedCapture> loaded) {
  ContentHash hash;
  const auto file_bytes = add_content(set, hash);
  if (!file_bytes) return file_bytes.error();
  return RankCapture{std::move(loaded), fmt::format("{:016x}", hash.value()), *file_bytes};
}

Result<RankCapture> read_rank(const InputSet& set) {
  std::shared_ptr<const LoadedCapture> loaded = open_input(set);
  if (!loaded) return Error{ErrorKind::kBadInput, "", ""};  // has said what is wrong
  return rank_capture(set, std::move(loaded));
}

Result<store::PushReport> push_rank(const store::Store& store, const RankCapture& capture,
                                    const store::PushOptions& options, const store::PushProgress& progress) {
  const LoadedCapture& loaded = *capture.loaded;
  SourceLines lines({});
  const sql::Source source = sql_source(loaded, lines);
  const store::PushInput pushed{
      .source = source,
      .format = loaded.capture.format,
      .content = capture.content,
      .file_bytes = capture.file_bytes,
      .write_file = [&](const auto& write) {
        find_writer("vizd")->write(loaded.capture, {.part = {}, .source_line = source.source_line, .level = 1}, write);
      }};
  return store::push(store, pushed, options, progress);
}

}  // namespace vizd
