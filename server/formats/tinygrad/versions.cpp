#include <algorithm>

#include "formats/tinygrad/reading/profile_reader.h"
#include "formats/tinygrad/reading/rewrites_reader.h"
#include "formats/tinygrad/v2025_09/version.h"
#include "formats/tinygrad/v2026_08/version.h"
#include "formats/tinygrad/version.h"

namespace vizd::tinygrad {
namespace {

constexpr const Version* kVersions[] = {&tinygrad_2025_09::kRelease,   &tinygrad_2025_09::kVersion,
                                        &tinygrad_2026_08::kOther,     &tinygrad_2026_08::kRelease12,
                                        &tinygrad_2026_08::kRelease13, &tinygrad_2026_08::kVersion,
                                        &tinygrad_2026_08::kRelease};

}  // namespace

std::optional<std::int64_t> EnumTable::number(std::string_view member) const {
  const auto& numbered = shared_names.empty() ? names : shared_names;
  const auto found = std::ranges::find(numbered, member);
  if (found == numbered.end()) return std::nullopt;
  return found - numbered.begin() + first;
}

std::optional<std::string_view> EnumTable::name(std::int64_t number) const {
  if (number < first || number - first >= static_cast<std::int64_t>(names.size())) return std::nullopt;
  const std::string_view name = names[static_cast<std::size_t>(number - first)];
  return name.empty() ? std::nullopt : std::optional(name);
}

std::span<const Version* const> versions() { return kVersions; }

const Version* version_by_format(std::string_view format) {
  const auto found = std::ranges::find(kVersions, format, &Version::format);
  return found == std::end(kVersions) ? nullptr : *found;
}

const Version* rewrites_version(const pickle::Tree& tree) {
  const auto top = rewrites_top(tree);
  if (!top) return nullptr;
  const auto is_of = [&](const Version* version) {
    return version->rewrites_top == *top && (version->fits == nullptr || version->fits(tree));
  };
  // The later ones say by which captures they are known.
  for (std::size_t i = std::size(kVersions); i-- > 0;) {
    if (is_of(kVersions[i])) return kVersions[i];
  }
  return nullptr;
}

const Version* profile_version(const pickle::Tree& tree) {
  if (!is_profile(tree)) return nullptr;
  for (std::size_t i = std::size(kVersions); i-- > 0;) {
    if (kVersions[i]->profile_fields.empty()) continue;  // its profiles are as those of another
    const bool fits = kVersions[i]->fits == nullptr || kVersions[i]->fits(tree);
    if (fits && profile_has_field(tree, kVersions[i]->profile_fields)) return kVersions[i];
  }
  return &tinygrad_2025_09::kVersion;
}

}  // namespace vizd::tinygrad
