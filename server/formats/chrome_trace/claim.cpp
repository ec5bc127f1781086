#include "formats/chrome_trace/claim.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "base/ascii_case.h"
#include "formats/byte_stream.h"
#include "formats/chrome_trace/event_parser.h"
#include "formats/chrome_trace/item_scan.h"
#include "formats/chrome_trace/json_token.h"
#include "formats/claims.h"

namespace vizd::chrome_trace {
namespace {

constexpr std::size_t kLooked_bytes = std::size_t{256} << 10;  // at each end of a file

struct RankOfWorld {
  std::int64_t rank, world_size;
};

std::optional<RankOfWorld> find_rank(std::string_view text) {
  constexpr std::string_view kKey = "\"distributedInfo\"";
  const auto key = text.find(kKey);
  if (key == std::string_view::npos) return std::nullopt;
  const auto begin = text.find('{', key);
  if (begin == std::string_view::npos) return std::nullopt;
  const auto size = ItemScan().find_end(text.substr(begin));
  std::vector<Member> members;
  if (!size || !EventParser().parse_object(text.substr(begin, *size), members)) return std::nullopt;
  std::optional<std::int64_t> rank, world_size;
  for (const Member& member : members) {
    if (member.key == "rank") rank = integer_of(member.value);
    if (member.key == "world_size") world_size = integer_of(member.value);
  }
  if (!rank || !world_size || *world_size < 2) return std::nullopt;
  return RankOfWorld{*rank, *world_size};
}

std::optional<RankOfWorld> rank_of_file(const std::string& path) {
  const auto stream = ByteStream::open(path);
  if (!stream) return std::nullopt;
  const auto part = (*stream)->next();
  const auto beginning = part.first(std::min(part.size(), kLooked_bytes));
  if (const auto found = find_rank({reinterpret_cast<const char*>(beginning.data()), beginning.size()})) return found;
  const std::uint64_t size = (*stream)->all_stored_bytes();
  if ((*stream)->is_packed() || size <= kLooked_bytes) return std::nullopt;
  std::ifstream file(path, std::ios::binary);
  file.seekg(static_cast<std::streamoff>(size - std::min<std::uint64_t>(size, kLooked_bytes)));
  std::string end(kLooked_bytes, '\0');
  file.read(end.data(), static_cast<std::streamsize>(end.size()));
  end.resize(static_cast<std::size_t>(std::max<std::streamsize>(file.gcount(), 0)));
  return find_rank(end);
}

struct Ranks {
  std::map<std::int64_t, std::string> paths;  // by rank
};

// Whether a folder's name is the word, which may be none, and a number.
bool is_numbered(const std::string& folder, std::string_view word) {
  const std::string name = ascii_lower(std::filesystem::path(folder).filename().string());
  std::string_view number = name;
  if (number.starts_with(word)) number.remove_prefix(word.size());
  if (number.starts_with('_') || number.starts_with('-')) number.remove_prefix(1);
  return !number.empty() && number.find_first_not_of("0123456789") == std::string_view::npos;
}

bool is_of_rank(const std::string& folder) { return is_numbered(folder, "rank"); }

// The folder that the ranks of a file's job are in: its own, or where that is of one rank the one above it.
std::string folder_of_job(const std::string& path) {
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  return (is_of_rank(folder.string()) ? folder.parent_path() : folder).string();
}

}  // namespace

bool is_of_rank_or_step(const std::string& folder) {
  constexpr std::string_view kWords[] = {"rank", "step", "iteration", "iter"};
  return std::ranges::any_of(kWords, [&](std::string_view word) { return is_numbered(folder, word); });
}

std::vector<InputSet> claim(const Format& own, std::span<const ListedFile> listing) {
  std::vector<InputSet> sets;
  const auto add_alone = [&](const std::string& path) { sets.push_back({&own, set_name(path), {{"capture", path}}}); };
  std::vector<const ListedFile*> ours;
  for (const ListedFile& file : listing) {
    if (file.format == &own) ours.push_back(&file);
  }
  if (ours.size() == 1) {
    add_alone(ours[0]->path);
    return sets;
  }
  std::map<std::pair<std::string, std::int64_t>, std::vector<Ranks>> jobs;  // by folder and size of the world
  for (const ListedFile* const file : ours) {
    const auto known = rank_of_file(file->path);
    if (!known) {
      add_alone(file->path);
      continue;
    }
    auto& job = jobs[{folder_of_job(file->path), known->world_size}];
    auto found = std::ranges::find_if(job, [&](const Ranks& ranks) { return !ranks.paths.contains(known->rank); });
    if (found == job.end()) found = job.insert(job.end(), Ranks());
    found->paths.emplace(known->rank, file->path);
  }
  for (const auto& [job, all] : jobs) {
    for (const Ranks& ranks : all) {
      const std::string& first = ranks.paths.begin()->second;
      if (ranks.paths.size() == 1) {
        add_alone(first);
        continue;
      }
      InputSet set{&own, fmt::format("{} ({} ranks)", set_name(first), ranks.paths.size()), {}};
      for (const auto& [rank, path] : ranks.paths) set.files.push_back({fmt::format("rank {}", rank), path});
      sets.push_back(std::move(set));
    }
  }
  return sets;
}

}  // namespace vizd::chrome_trace
