#include "formats/etdump/program_values.h"

#include <tuple>
#include <utility>

#include "formats/etdump/program_types.h"

namespace vizd::etdump {

namespace dom = simdjson::dom;

std::uint32_t ProgramValues::add(std::string_view name) {
  ProgramValue value;
  value.name = name;
  if (types_) {
    dom::element facts;
    if (types_->at_key(name).get(facts) == simdjson::SUCCESS) read_type(facts, value);
  }
  const auto place = static_cast<std::uint32_t>(values_.size());
  places_[value.name] = place;
  values_.push_back(std::move(value));
  return place;
}

std::uint32_t ProgramValues::named(std::string_view name) {
  const auto found = places_.find(std::string(name));
  if (found != places_.end()) return found->second;
  const std::uint32_t place = add(name);
  values_[place].kind = ValueKind::kInput;
  return place;
}

void ProgramValues::read_signature(dom::element signature) {
  constexpr std::tuple<std::string_view, std::string_view, ValueKind> kSpecs[] = {
      {"parameter", "parameter_name", ValueKind::kParameter},
      {"buffer", "buffer_name", ValueKind::kBuffer},
      {"tensor_constant", "tensor_constant_name", ValueKind::kConstant}};
  for (const dom::element spec : items_at(signature, "input_specs")) {
    for (const auto& [key, name_key, kind] : kSpecs) {
      const auto body = child(spec, key);
      const auto argument = body ? child(*body, "arg") : std::nullopt;
      if (!argument) continue;
      const auto found = places_.find(text_at(*argument, "name"));
      if (found == places_.end()) continue;
      values_[found->second].kind = kind;
      values_[found->second].qualified_name = text_at(*body, name_key);
    }
  }
}

std::vector<std::uint32_t> ProgramValues::of(dom::element argument) {
  std::vector<std::uint32_t> out;
  const auto object = object_of(argument);
  if (!object) return out;
  const auto add_named = [&](dom::element of, std::string_view key) {
    if (const auto name = child(of, key))
      if (const auto text = text_of(*name)) out.push_back(named(*text));
  };
  for (const auto& field : *object) {
    if (field.key == "as_tensor" || field.key == "as_custom_obj") {
      add_named(field.value, "name");
    } else if (field.key == "as_sym_int" || field.key == "as_sym_bool" || field.key == "as_sym_float") {
      add_named(field.value, "as_name");
    } else if (field.key == "as_tensors" || field.key == "as_optional_tensors" || field.key == "as_sym_ints" ||
               field.key == "as_nested_tensors") {
      add_of_list(field.value, out);
    }
  }
  return out;
}

void ProgramValues::add_of_list(dom::element list, std::vector<std::uint32_t>& out) {
  dom::array items;
  if (list.get_array().get(items) != simdjson::SUCCESS) return;
  for (const dom::element item : items) {
    if (const auto name = child(item, "name")) {
      if (const auto text = text_of(*name)) out.push_back(named(*text));
    } else if (const auto symbol = child(item, "as_name")) {
      if (const auto text = text_of(*symbol)) out.push_back(named(*text));
    } else if (const auto inner = child(item, "as_tensor")) {
      if (const auto text = child(*inner, "name"))
        if (const auto value = text_of(*text)) out.push_back(named(*value));
    }
  }
}

}  // namespace vizd::etdump
