// Names of kernels as a table on a terminal shows them: a C++ signature is folded to what tells it from its neighbours,
// and what is still too long is cut in the middle; of a list no two different names look the same. The page's lists do
// the same (web/src/lib/kernel-name.ts); tests/data/kernel-names.tsv holds both to one another. Pure.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace vizd {

// Each name's text: without the type of the result, parameters, namespaces and what only carries operands, as far as
// the names then still differ. Names that are no signatures, and those with colours, stay as they are.
std::vector<std::string> shorten_names(const std::vector<std::string>& names);

// Lines cut in the middle to so many columns on a screen, with their colours. Where two that differ would look the
// same, what they differ in is shown instead of their ends.
std::vector<std::string> cut_lines(const std::vector<std::string>& lines, std::size_t columns);

}  // namespace vizd
