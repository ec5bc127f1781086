// Finds the input sets that the files of a listing make, by asking the formats one after another. Any thread.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "formats/registry.h"

namespace vizd {

// The listing that sets are claimed from: files that the user named are all shown, with what is wrong with those that
// no format claims; of the files of a folder those are left out.
enum class Listing { kNamed, kFolder };

// The sets, in the order of their first files in the listing; every file is in one at most. known: for tests.
std::vector<InputSet> claim_sets(std::span<const ListedFile> files, Listing listing,
                                 std::span<const Format* const> known = formats());

// Gives each set the settings that are of its format.
void add_settings(std::vector<InputSet>& sets, std::span<const Setting> settings);

// The sets that are shown where the user names nothing.
std::vector<InputSet> default_sets();

// The path as a capture's name: that of its file without the words and without the suffixes of packed files and
// formats; where nothing is left of it, its folder's.
std::string set_name(const std::string& path, std::span<const std::string_view> words = {});

}  // namespace vizd
