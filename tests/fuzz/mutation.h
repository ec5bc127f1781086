// How inputs are changed whose lengths and checksums a blind change would break: a target takes its input apart,
// changes a part of it, and puts it together again so that the reader gets past its first checks. Only in libFuzzer's
// programs (VIZD_FUZZ), which bring LLVMFuzzerMutate. The seed alone says what is changed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t max_size);

namespace vizd::fuzz {

using Random = std::minstd_rand;

inline std::size_t below(Random& random, std::size_t bound) { return bound == 0 ? 0 : random() % bound; }

// A number at which readers go wrong.
inline std::uint64_t odd_number(Random& random) {
  constexpr std::uint64_t kOdd[] = {0, 1, 2, 7, 0x7f, 0x80, 0xff, 0xffff, 0x7fff'ffff, 0x8000'0000, 0xffff'ffff};
  switch (below(random, 4)) {
    case 0:
      return kOdd[below(random, std::size(kOdd))];
    case 1:
      return (std::uint64_t{1} << below(random, 64)) - below(random, 2);
    case 2:
      return std::uint64_t{} - below(random, 300);
    default:
      return below(random, 300);
  }
}

// As libFuzzer changes bytes. They grow by a little, or keep their size.
inline void mutate(std::string& bytes, bool keeps_size = false) {
  constexpr std::size_t kGrowth = 64;
  const std::size_t size = bytes.size();
  if (keeps_size && size == 0) return;
  bytes.resize(size + (keeps_size ? 0 : kGrowth));
  const std::size_t now = LLVMFuzzerMutate(reinterpret_cast<std::uint8_t*>(bytes.data()), size, bytes.size());
  bytes.resize(keeps_size ? size : now);
}

// Changes one of the parts by change_one(part), or takes one away, doubles it or moves it.
template <typename Part, typename ChangeOne>
void change_list(std::vector<Part>& parts, Random& random, ChangeOne&& change_one) {
  if (parts.empty()) return;
  const auto place = [&](std::size_t i) { return parts.begin() + static_cast<std::ptrdiff_t>(i); };
  const std::size_t at = below(random, parts.size());
  switch (below(random, 12)) {
    case 0:
      parts.erase(place(at));
      break;
    case 1: {
      Part copy = parts[at];
      parts.insert(place(below(random, parts.size() + 1)), std::move(copy));
      break;
    }
    case 2:
      std::swap(parts[at], parts[below(random, parts.size())]);
      break;
    default:
      change_one(parts[at]);
  }
}

// A target's LLVMFuzzerCustomMutator: change(bytes, random) is the changed input, none where the bytes cannot be taken
// apart. Now and then, and then too, they are changed blindly.
template <typename Change>
std::size_t change_input(std::uint8_t* data, std::size_t size, std::size_t max_size, unsigned seed, Change&& change) {
  Random random(seed + 1);
  if (below(random, 6) != 0) {
    const std::optional<std::string> changed =
        change(std::span(reinterpret_cast<const std::byte*>(data), size), random);
    if (changed && !changed->empty() && changed->size() <= max_size) {
      std::memcpy(data, changed->data(), changed->size());
      return changed->size();
    }
  }
  return LLVMFuzzerMutate(data, size, max_size);
}

}  // namespace vizd::fuzz
