// ProgramValues: the values of a program while it is read, by their names, and which of them an argument refers to. One
// graph's; one thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "formats/etdump/exported_program.h"
#include "formats/etdump/json_document.h"

namespace vizd::etdump {

class ProgramValues {
 public:
  // Adds to that list, to whose values it refers by their places.
  explicit ProgramValues(std::vector<ProgramValue>& values) : values_(values) {}

  // Takes what the graph says of the types of its values; before the first is added.
  void set_types(std::optional<simdjson::dom::object> types) { types_ = types; }

  std::uint32_t add(std::string_view name);
  // The value of that name; one that nobody made yet is taken for an input.
  std::uint32_t named(std::string_view name);
  // Marks the inputs that are no inputs of the user's: parameters, buffers, constants.
  void read_signature(simdjson::dom::element signature);
  // Returns the values that an argument refers to, in order.
  std::vector<std::uint32_t> of(simdjson::dom::element argument);

 private:
  void add_of_list(simdjson::dom::element list, std::vector<std::uint32_t>& out);

  std::vector<ProgramValue>& values_;
  std::optional<simdjson::dom::object> types_;
  std::unordered_map<std::string, std::uint32_t> places_;  // by name
};

}  // namespace vizd::etdump
