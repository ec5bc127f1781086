// EmbeddedFiles: files that the program carries, packed: the page, the licences of what is shipped, and captures for
// `vizd demo`. web/pack.mjs writes the sources that define them.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace vizd {

struct EmbeddedFile {
  std::string_view name;
  std::size_t bytes;
};

struct EmbeddedFiles {
  std::span<const EmbeddedFile> files;
  std::span<const unsigned char> packed;  // all of them behind one another, by zlib
};

extern const EmbeddedFiles kEmbeddedPage;      // index.html, app.js and what else there is, by name
extern const EmbeddedFiles kEmbeddedDemo;      // FOLDER/FILE of small captures
extern const EmbeddedFiles kEmbeddedLicences;  // licences.json: [{name, version, licence, part, text}]

// Each file's name and bytes. The page takes a few milliseconds.
std::vector<std::pair<std::string, std::string>> unpack(const EmbeddedFiles& embedded);

}  // namespace vizd
