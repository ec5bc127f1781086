#include "formats/torch_memory/viz_page.h"

#include <fmt/core.h>
#include <openssl/evp.h>

#include <algorithm>
#include <string>
#include <utility>

namespace vizd::torch_memory {
namespace {

constexpr std::string_view kScript = "MemoryViz.js", kSnapshot = R"("base64": ")";
// What OpenSSL is given at once, in groups of four letters, which are three bytes.
constexpr std::size_t kLetters = 4, kBytes = 3, kAtOnce = std::size_t{1} << 20;
// Such a page fills its pickle up to whole groups; one that is whole has a group more.
constexpr std::size_t kMostZeros = 3;

std::string_view text_of(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

Error wrong(const FormatInput& page, std::size_t offset, std::string message) {
  return {ErrorKind::kBadInput, std::move(message), fmt::format("{}:{}", page.name, offset)};
}

}  // namespace

bool is_viz_page(std::string_view beginning) {
  const auto first = beginning.find_first_not_of(" \t\r\n");
  return first != std::string_view::npos && beginning[first] == '<' &&
         beginning.find(kScript) != std::string_view::npos;
}

Result<std::vector<std::byte>> snapshot_in(const FormatInput& page) {
  const std::string_view all = text_of(page.bytes);
  const auto found = all.find(kSnapshot);
  if (found == std::string_view::npos)
    return wrong(page, 0, "the page contains no snapshot; PyTorch's trace_plot writes one into it");
  const std::size_t begin = found + kSnapshot.size();
  std::string_view letters = all.substr(begin, std::min(all.find('"', begin), all.size()) - begin);
  letters = letters.substr(0, letters.size() - letters.size() % kLetters);
  std::vector<std::byte> pickle(letters.size() / kLetters * kBytes);
  for (std::size_t at = 0; at < letters.size(); at += kAtOnce) {
    const std::string_view some = letters.substr(at, kAtOnce);
    const int made =
        EVP_DecodeBlock(reinterpret_cast<unsigned char*>(pickle.data() + at / kLetters * kBytes),
                        reinterpret_cast<const unsigned char*>(some.data()), static_cast<int>(some.size()));
    if (made != static_cast<int>(some.size() / kLetters * kBytes))
      return wrong(page, begin + at, "the snapshot in the page is damaged: it is not base64; write the page again");
  }
  for (std::size_t i = 0; i < kMostZeros && !pickle.empty() && pickle.back() == std::byte{0}; ++i) pickle.pop_back();
  return pickle;
}

}  // namespace vizd::torch_memory
