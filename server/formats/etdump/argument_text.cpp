#include "formats/etdump/argument_text.h"

#include <cstddef>
#include <utility>

#include "formats/etdump/program_types.h"

namespace vizd::etdump {
namespace {

namespace dom = simdjson::dom;

constexpr std::size_t kMostShownBytes = 400;

void add_value(dom::element value, std::string& out);

void add_argument(dom::element argument, std::string& out) {
  const auto object = object_of(argument);
  if (!object || object->size() == 0) return add_value(argument, out);
  const auto field = *object->begin();
  if (field.key == "as_none") {
    out = "None";
  } else if (field.key == "as_graph" || field.key == "as_operator") {
    out = text_of(field.value).value_or(text_at(field.value, "name"));
  } else if (field.key == "as_scalar_type") {
    const auto type = type_of_schema(integer_of(field.value).value_or(0));
    out = type ? dtype_name(*type) : "None";
  } else {
    add_value(field.value, out);
  }
}

void add_value(dom::element value, std::string& out) {
  if (out.size() > kMostShownBytes) return;
  dom::array items;
  bool truth = false;
  if (value.get_array().get(items) == simdjson::SUCCESS) {
    out += '[';
    bool is_first = true;
    for (const dom::element item : items) {
      if (out.size() > kMostShownBytes) break;
      if (!std::exchange(is_first, false)) out += ", ";
      std::string inner;
      add_argument(item, inner);
      out += inner;
    }
    out += out.size() > kMostShownBytes ? " …]" : "]";
  } else if (value.get_bool().get(truth) == simdjson::SUCCESS) {
    out += truth ? "True" : "False";
  } else if (const auto text = text_of(value)) {
    out += text->substr(0, kMostShownBytes);
  } else if (value.is_null()) {
    out += "None";
  } else if (value.is_object()) {
    out += "{…}";
  } else {
    out += simdjson::minify(value);
  }
}

}  // namespace

std::string argument_text(dom::element argument) {
  std::string text;
  add_argument(argument, text);
  return text;
}

}  // namespace vizd::etdump
