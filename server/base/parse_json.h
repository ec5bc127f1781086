// JSON text as a document: the only door, which scripts/check holds. Copying, writing and freeing an nlohmann document
// recurses into it, and how deep it nests is the text's choice; a text that nests deeper than vizd's own answers and
// the formats it reads do is therefore no document.
//
// Thread-safe.
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>

namespace vizd {

inline constexpr std::size_t kMostJsonNesting = 64;

// Where in the text lists and objects first nest deeper than that; none where they do not. The text may be no JSON.
std::optional<std::size_t> find_deeper_nesting(std::string_view text, std::size_t most = kMostJsonNesting);

// The document, or a discarded value (is_discarded()) where the text is no JSON or nests too deep. Throws
// std::bad_alloc.
template <typename Document = nlohmann::json>
Document parse_json(std::string_view text) {
  if (find_deeper_nesting(text)) return Document(Document::value_t::discarded);
  return Document::parse(text, nullptr, false);
}

// The byte, from 1, at which the text is no JSON any more; none where all of it is JSON. Builds no document.
std::optional<std::size_t> find_json_error(std::string_view text);

}  // namespace vizd
