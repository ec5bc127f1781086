#include "formats/claims.h"

#include <algorithm>
#include <filesystem>
#include <unordered_map>

#include "base/clean_text.h"

namespace vizd {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kWholeCapture = "capture";  // the role of a file that is one by itself

InputSet set_of_one(const Format* format, const std::string& path) {
  return {format, set_name(path), {{std::string(kWholeCapture), path}}};
}

std::vector<InputSet> claim(const Format& format, std::span<const ListedFile> left) {
  if (format.claim != nullptr) return format.claim(left);
  std::vector<InputSet> sets;
  for (const ListedFile& file : left) {
    if (file.format == &format) sets.push_back(set_of_one(&format, file.path));
  }
  return sets;
}

}  // namespace

std::vector<InputSet> claim_sets(std::span<const ListedFile> files, Listing listing,
                                 std::span<const Format* const> known) {
  std::unordered_map<std::string_view, std::size_t> places;
  std::vector<ListedFile> left;
  for (const ListedFile& file : files) {
    if (places.emplace(file.path, places.size()).second) left.push_back(file);
  }
  std::vector<InputSet> sets;
  std::vector<bool> is_claimed(places.size());
  const auto take = [&](InputSet set) {
    for (const InputFile& file : set.files) {
      if (const auto place = places.find(file.path); place != places.end()) is_claimed[place->second] = true;
    }
    sets.push_back(std::move(set));
  };
  for (const Format* format : known) {
    for (InputSet& set : claim(*format, left)) take(std::move(set));
    std::erase_if(left, [&](const ListedFile& file) { return is_claimed[places.at(file.path)]; });
  }
  if (listing == Listing::kNamed) {
    for (const ListedFile& file : left) take(set_of_one(file.format, file.path));
  }
  std::ranges::stable_sort(sets, {}, [&](const InputSet& set) {
    std::size_t first = places.size();
    for (const InputFile& file : set.files) {
      if (const auto place = places.find(file.path); place != places.end()) first = std::min(first, place->second);
    }
    return first;
  });
  return sets;
}

void add_settings(std::vector<InputSet>& sets, std::span<const Setting> settings) {
  for (InputSet& set : sets) {
    std::ranges::copy_if(settings, std::back_inserter(set.settings),
                         [&](const Setting& setting) { return setting.format == set.format; });
  }
}

std::vector<InputSet> default_sets() {
  std::vector<InputSet> sets;
  for (const Format* format : formats()) {
    if (format->default_set != nullptr) sets.push_back(format->default_set());
  }
  return sets;
}

std::string set_name(const std::string& path, std::span<const std::string_view> words) {
  std::string name = fs::path(path).filename().string();
  const auto drop = [&](std::string_view word) {
    if (const auto at = name.rfind(word); at != std::string::npos) name.erase(at, word.size());
  };
  const auto drop_suffix = [&](std::string_view suffix) {
    if (!suffix.empty() && name.ends_with(suffix)) name.resize(name.size() - suffix.size());
  };
  for (const std::string_view suffix : {".gz", ".zst"}) drop_suffix(suffix);
  std::string_view longest;
  for (const Format* format : formats()) {
    if (name.ends_with(format->suffix) && format->suffix.size() > longest.size()) longest = format->suffix;
  }
  drop_suffix(longest);
  for (const std::string_view word : words) drop(word);
  constexpr std::string_view kFillers = "._-";
  name.erase(0, std::min(name.find_first_not_of(kFillers), name.size()));
  name.erase(name.find_last_not_of(kFillers) + 1);
  if (name.empty())
    name = fs::path(path).has_parent_path() ? fs::absolute(path).parent_path().filename().string() : path;
  return one_line(name, false);  // a line of a name would stand among vizd's own
}

}  // namespace vizd
