#include "formats/etdump/node_names.h"

#include <algorithm>
#include <charconv>
#include <cstdint>

#include "base/ascii_case.h"

namespace vizd::etdump {
namespace {

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

constexpr std::size_t kMostDigits = 15;  // of a node's number; beyond it is a part of the name

// Runs of what no Python name holds become one "_".
std::string legal_name(std::string_view text) {
  std::string name;
  bool was_illegal = false;
  for (const char c : text) {
    const bool is_legal = is_letter(c) || is_digit(c) || c == '_';
    if (is_legal) name += c;
    if (!is_legal && !was_illegal) name += '_';
    was_illegal = !is_legal;
  }
  if (name.empty()) name = "_unnamed";
  if (is_digit(name.front())) name.insert(0, "_");
  return name;
}

}  // namespace

std::string name_of_op(std::string_view op) {
  std::string name;
  for (std::size_t i = 0; i < op.size(); ++i) {
    const bool is_upper = op[i] >= 'A' && op[i] <= 'Z';
    if (is_upper && i != 0 && op[i - 1] >= 'a' && op[i - 1] <= 'z') name += '_';
    name += is_upper ? static_cast<char>(op[i] - 'A' + 'a') : op[i];
  }
  return legal_name(name);
}

std::string NodeNames::take(std::string_view wanted) {
  std::string name = legal_name(wanted);
  // "relu_2" is the stem "relu" and the number 2.
  std::string stem = name;
  std::int64_t number = -1;
  if (const std::size_t cut = name.find_last_of('_');
      cut != name.npos && cut + 1 < name.size() && name.size() - cut <= kMostDigits + 1) {
    const char* const end = name.data() + name.size();
    std::int64_t value = 0;
    const auto [stop, error] = std::from_chars(name.data() + cut + 1, end, value);
    if (error == std::errc() && stop == end && is_digit(name[cut + 1])) {
      stem = name.substr(0, cut);
      number = value;
    }
  }
  if (number < 0 || taken_.contains(name)) {
    const auto last = numbers_.find(name);
    number = last == numbers_.end() ? 0 : last->second;
  }
  if (taken_.contains(name)) {
    // A name that was asked for before is known to be taken up to where that search ended.
    std::int64_t& searched = searched_[name];
    number = std::max(number, searched);
    do name = stem + "_" + std::to_string(++number);
    while (taken_.contains(name));
    searched = number;
  }
  taken_.insert(name);
  numbers_[stem] = number;
  return name;
}

}  // namespace vizd::etdump
