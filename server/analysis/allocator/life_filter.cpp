#include "analysis/allocator/life_filter.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

namespace vizd {
namespace {

std::string small_letters(std::string_view text) {
  std::string small(text);
  for (char& letter : small) {
    if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter - 'A' + 'a');
  }
  return small;
}

bool holds_small(std::string_view text, const std::string& part) {
  return small_letters(text).find(part) != std::string::npos;
}

// "1e9", "20mb", "2mib".
std::optional<std::uint64_t> size_in_bytes(std::string_view text) {
  static constexpr std::pair<std::string_view, double> kUnits[] = {{"", 1},
                                                                   {"b", 1},
                                                                   {"k", 1e3},
                                                                   {"kb", 1e3},
                                                                   {"m", 1e6},
                                                                   {"mb", 1e6},
                                                                   {"g", 1e9},
                                                                   {"gb", 1e9},
                                                                   {"kib", 1024},
                                                                   {"mib", 1024. * 1024},
                                                                   {"gib", 1024. * 1024 * 1024}};
  double number = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (problem != std::errc() || !(number >= 0) || number > 9e18) return std::nullopt;
  const std::string_view rest(end, static_cast<std::size_t>(text.data() + text.size() - end));
  for (const auto& [name, factor] : kUnits) {
    if (rest == name && number * factor < 9e18) return static_cast<std::uint64_t>(std::llround(number * factor));
  }
  return std::nullopt;
}

std::optional<std::uint64_t> address_of(std::string_view text) {
  if (text.starts_with("0x")) text.remove_prefix(2);
  std::uint64_t address = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), address, 16);
  const bool is_whole = problem == std::errc() && end == text.data() + text.size() && !text.empty();
  return is_whole ? std::optional(address) : std::nullopt;
}

}  // namespace

Result<LifeFilter> LifeFilter::parse(const Capture& capture, const Track& track, std::string_view words) {
  using What = Term::What;
  static constexpr std::pair<std::string_view, What> kKeys[] = {{"frame:", What::kFrame},
                                                                {"operator:", What::kOperator},
                                                                {"phase:", What::kPhase},
                                                                {"metadata:", What::kMetadata},
                                                                {"compile:", What::kCompile}};
  LifeFilter filter(capture, track);
  const std::string all = small_letters(words);
  for (std::size_t at = all.find_first_not_of(' '); at != std::string::npos;) {
    const std::size_t end = std::min(all.find(' ', at), all.size());
    const std::string word = all.substr(at, end - at);
    at = all.find_first_not_of(' ', end);
    const bool is_size = word.starts_with("size>") || word.starts_with("size<");
    if (is_size) {
      const auto bytes = size_in_bytes(std::string_view(word).substr(5));
      if (!bytes) return Error{ErrorKind::kBadInput, fmt::format("'{}' is no size: size>1e9, size<20MB", word), "q"};
      filter.terms_.push_back({word[4] == '>' ? What::kMore : What::kLess, *bytes, "", {}});
    } else if (word.starts_with("address:")) {
      const auto address = address_of(std::string_view(word).substr(8));
      if (!address) return Error{ErrorKind::kBadInput, fmt::format("'{}' is no address: address:0x7f00", word), "q"};
      filter.terms_.push_back({What::kAddress, *address, "", {}});
    } else {
      const auto* const key =
          std::ranges::find_if(kKeys, [&](const auto& known) { return word.starts_with(known.first); });
      if (key != std::end(kKeys)) {
        filter.terms_.push_back({key->second, 0, word.substr(key->first.size()), {}});
      } else if (const auto address = word.starts_with("0x") ? address_of(word) : std::nullopt) {
        filter.terms_.push_back({What::kAddress, *address, "", {}});
      } else {
        filter.terms_.push_back({What::kAny, 0, word, {}});
      }
    }
  }
  return filter;
}

bool LifeFilter::holds(std::uint32_t life) {
  return std::ranges::all_of(terms_, [&](Term& term) { return holds(term, life); });
}

bool LifeFilter::holds(Term& term, std::uint32_t life) const {
  using What = Term::What;
  const Allocation& allocation = track_->allocations[life];
  switch (term.what) {
    case What::kMore:
      return allocation.size_bytes() > term.number;
    case What::kLess:
      return allocation.size_bytes() < term.number;
    case What::kAddress:
      return term.number - allocation.address < std::max<std::uint64_t>(allocation.size_bytes(), 1);
    default:
      break;
  }
  const std::uint32_t site = track_->allocator->lives.site[life];
  const auto [known, is_new] = term.by_site.try_emplace(site);
  if (is_new) known->second = holds_in_site(term, track_->allocator->sites[site]);
  return known->second;
}

bool LifeFilter::holds_in_site(const Term& term, const AllocationSite& site) const {
  using What = Term::What;
  const bool is_any = term.what == What::kAny;
  const auto holds = [&](What what, StringId text) {
    return (is_any || term.what == what) && holds_small(capture_->strings.get(text), term.text);
  };
  if (holds(What::kOperator, site.operation) || holds(What::kPhase, site.phase) ||
      holds(What::kMetadata, site.metadata) || holds(What::kCompile, site.compile_context))
    return true;
  if (!is_any && term.what != What::kFrame) return false;
  const auto is_so = [&](const Frame& frame) {
    return holds_small(
        fmt::format("{}:{}:{}", capture_->strings.get(frame.file), frame.line, capture_->strings.get(frame.function)),
        term.text);
  };
  return std::ranges::any_of(frames_of(capture_->stacks, site.stack), is_so) ||
         std::ranges::any_of(frames_of(capture_->stacks, site.forward), is_so);
}

}  // namespace vizd
