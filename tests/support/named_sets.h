// The input sets of files, as if a user had named them.
#pragma once

#include <string>
#include <vector>

#include "formats/claims.h"
#include "formats/sniffer.h"

namespace vizd {

inline std::vector<InputSet> named_sets(const std::vector<std::string>& paths) {
  Sniffer sniffer;
  std::vector<ListedFile> listing;
  for (const std::string& path : paths) listing.push_back({path, sniffer.format_of(path)});
  return claim_sets(listing, Listing::kNamed);
}

}  // namespace vizd
