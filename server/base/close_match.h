// Which name was meant by a misspelled one, as Python's difflib.get_close_matches finds it. Pure.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace vizd {

// SequenceMatcher(None, a, b).ratio(): twice the characters in common blocks, by those of both. For names: without the
// rule for popular characters, which begins at 200 of them.
double likeness_ratio(std::string_view a, std::string_view b);

// get_close_matches(name, names, n=1, cutoff=0.6)[0]; "" where there is none.
std::string close_match(std::string_view name, std::span<const std::string> names);

}  // namespace vizd
