// MetadataRules: which fields there are in the metadata that a delegate gives its events, by the one form that is known
// without a file, or by a file of rules. Immutable; any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "base/result.h"
#include "formats/etdump/blocks.h"

namespace vizd::etdump {

using MetadataValue = std::variant<std::int64_t, double, std::string>;
using MetadataFields = std::vector<std::pair<std::string, MetadataValue>>;  // no name twice

// A text that is a number is that number.
MetadataValue number_or_text(const MetadataValue& value);

class MetadataRules {
 public:
  // Parses "pairs", for texts such as a=1;b=2, or else the rules of a file, one per line:
  //   NAME = pairs
  //   NAME = json FIELD /POINTER
  //   NAME = regex PATTERN          whose groups (?<FIELD>…) are the fields
  // Errors: the file cannot be read; a line that is no rule.
  static Result<MetadataRules> read(std::string_view form);

  bool are_given() const { return !rules_.empty(); }
  // The fields of an event in an iteration. Each rule that fits adds its own; the first that tells a field counts.
  MetadataFields fields(const BlockEvent& event, std::span<const std::byte> metadata) const;
  // By name, the values of all iterations; none where an iteration does not have it.
  std::map<std::string, std::vector<std::optional<MetadataValue>>> columns(const BlockEvent& event) const;
  // The places of those rules that find nothing in any of the events.
  std::vector<std::string> idle(std::span<const Block> blocks) const;

 private:
  struct Rule;

  std::vector<std::shared_ptr<const Rule>> rules_;
};

}  // namespace vizd::etdump
