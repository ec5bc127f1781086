#include "formats/perfetto/packet_writer.h"

#include <fmt/format.h>

namespace vizd::perfetto {

namespace f = field;
using protozero::pbf_writer;

std::uint64_t PacketWriter::intern(Interned& table, Field field, std::string_view value) {
  const auto [found, is_new] = table.try_emplace(std::string(value), table.size() + 1);
  if (is_new) {
    pbf_writer data(interned_);
    pbf_writer entry(data, field);
    entry.add_uint64(f::interned::kIid, found->second);
    entry.add_string(f::interned::kText, value.data(), value.size());
  }
  return found->second;
}

std::uint64_t PacketWriter::intern_spec(std::string_view name, std::string_view description) {
  const auto [found, is_new] = specs_.try_emplace(fmt::format("{} {}", description, name), specs_.size() + 1);
  if (is_new) {
    pbf_writer data(interned_);
    pbf_writer entry(data, f::interned::kGpuSpecs);
    entry.add_uint64(f::interned::kIid, found->second);
    entry.add_string(f::interned::kText, name.data(), name.size());
    if (!description.empty()) entry.add_string(f::interned::kSpecDescription, description.data(), description.size());
    entry.add_enum(f::interned::kSpecKind, f::interned::kOfCompute);
  }
  return found->second;
}

void PacketWriter::put_name(pbf_writer& event, std::string_view name, std::string_view category) {
  event.add_uint64(f::event::kNameIid, intern(names_, f::interned::kEventNames, name));
  if (!category.empty())
    event.add_uint64(f::event::kCategoryIids, intern(categories_, f::interned::kCategories, category));
}

void PacketWriter::put_annotation(pbf_writer& event, std::string_view name, const ArgumentValue& value, StringId unit) {
  const std::uint64_t iid = intern(annotation_names_, f::interned::kAnnotationNames, name);
  const auto* const id = std::get_if<StringId>(&value);
  const bool is_json = id != nullptr && unit == json_unit_ && unit != StringId{};
  const std::uint64_t text_iid =
      id != nullptr && !is_json ? intern(annotation_texts_, f::interned::kAnnotationTexts, strings_.get(*id)) : 0;
  pbf_writer annotation(event, f::event::kAnnotation);
  annotation.add_uint64(f::annotation::kNameIid, iid);
  if (const auto* const integer = std::get_if<std::int64_t>(&value))
    annotation.add_int64(f::annotation::kInt, *integer);
  if (const auto* const real = std::get_if<double>(&value)) annotation.add_double(f::annotation::kDouble, *real);
  // Perfetto's reader ends at a null in JSON; of an argument without a value it knows that there is none.
  const bool is_null = is_json && strings_.get(*id) == "null";
  if (is_json && !is_null)
    annotation.add_string(f::annotation::kJson, strings_.get(*id).data(), strings_.get(*id).size());
  if (text_iid != 0) annotation.add_uint64(f::annotation::kTextIid, text_iid);
}

void PacketWriter::put_flag(pbf_writer& event, std::string_view name) {
  pbf_writer annotation(event, f::event::kAnnotation);
  annotation.add_string(f::annotation::kName, name.data(), name.size());
  annotation.add_bool(f::annotation::kBool, true);
}

}  // namespace vizd::perfetto
