// Annotations of track events: the arguments, with their parts. Those of an object or a list have dotted names, but in
// files of PyTorch's, whose lists and objects stay what they are.
#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "formats/perfetto/fields.h"
#include "formats/perfetto/packet_fields.h"
#include "formats/perfetto/trace_decoder.h"
#include "model/argument_json.h"

namespace vizd::perfetto {

namespace f = field;
using protozero::pbf_reader;

TraceDecoder::Annotation TraceDecoder::read_annotation(pbf_reader annotation, const Sequence& sequence) {
  Annotation read;
  const auto set_json = [&](std::string_view json) {
    read.value = strings_.add(json);
    read.unit = strings_.add(argument::kJson);
  };
  const auto set_unsigned = [&](std::uint64_t number) {
    const bool fits = number <= static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
    fits ? void(read.value = static_cast<std::int64_t>(number)) : set_json(fmt::format("{}", number));
  };
  while (annotation.next()) {
    switch (annotation.tag()) {
      case f::annotation::kName:
        read.name = to_text(annotation.get_view());
        break;
      case f::annotation::kNameIid:
        read.name = interned(sequence.annotation_names, annotation.get_uint64());
        break;
      case f::annotation::kBool:
        set_json(annotation.get_bool() ? "true" : "false");
        break;
      case f::annotation::kUint:
      case f::annotation::kPointer:
        set_unsigned(annotation.get_uint64());
        break;
      case f::annotation::kInt:
        read.value = annotation.get_int64();
        break;
      case f::annotation::kDouble:
        read.value = annotation.get_double();
        break;
      case f::annotation::kText:
        read.value = strings_.add(to_text(annotation.get_view()));
        break;
      case f::annotation::kTextIid:
        read.value = strings_.add(interned(sequence.annotation_texts, annotation.get_uint64()));
        break;
      case f::annotation::kJson:
        set_json(to_text(annotation.get_view()));
        break;
      case f::annotation::kDictEntries:
        read.entries.push_back(annotation.get_view());
        break;
      case f::annotation::kArrayValues:
        read.elements.push_back(annotation.get_view());
        break;
      case f::annotation::kNested:
        read.nested = annotation.get_view();
        break;
      default:
        skip(fmt::format("fields of arguments that vizd does not know ({})", annotation.tag()));
        annotation.skip();
    }
  }
  return read;
}

TraceDecoder::PlacedValue TraceDecoder::json_value(std::string_view name, std::string_view json) {
  return {strings_.add(name), strings_.add(argument::kJson), strings_.add(json)};
}

// PyTorch's encoder leaves lists and objects of nothing without a value, and has a text for null.
void TraceDecoder::take_annotation(pbf_reader message, const std::string& prefix, const Sequence& sequence,
                                   std::vector<PlacedValue>& values, int depth) {
  if (depth > kMostDepth) return skip("annotations nested too deep");
  Annotation read = read_annotation(message, sequence);
  std::string& name = read.name;
  const bool is_named = !name.empty();
  if (!prefix.empty() && !name.empty()) name = prefix + "." + name;
  if (name.empty()) name = prefix;
  if (is_of_pytorch()) {
    const auto* const text = read.value && read.unit == StringId{} ? std::get_if<StringId>(&*read.value) : nullptr;
    std::string json;
    if (!read.value) {
      JsonWriter writer(json);
      write_annotation(writer, read, sequence, depth);
    } else if (text != nullptr && strings_.get(*text) == "null") {
      json = "null";
    }
    if (!json.empty()) return values.push_back(json_value(name, json));
  }
  const bool is_empty = !read.value && !read.nested && read.entries.empty() && read.elements.empty();
  if (is_empty && !is_named) return skip("arguments without a value");
  if (is_empty) values.push_back(json_value(name, "null"));
  if (read.value) values.push_back({strings_.add(name), read.unit, *read.value});
  if (read.nested) take_nested(pbf_reader(*read.nested), name, values, depth + 1);
  for (const protozero::data_view entry : read.entries)
    take_annotation(pbf_reader(entry), name, sequence, values, depth + 1);
  for (std::size_t i = 0; i < read.elements.size(); ++i)
    take_annotation(pbf_reader(read.elements[i]), fmt::format("{}[{}]", name, i), sequence, values, depth + 1);
}

// The older form of an object or a list.
void TraceDecoder::take_nested(pbf_reader nested, const std::string& name, std::vector<PlacedValue>& values,
                               int depth) {
  if (depth > kMostDepth) return skip("annotations nested too deep");
  std::vector<std::string> keys;
  std::vector<protozero::data_view> entries, elements;
  const auto add = [&](ArgumentValue value) { values.push_back({strings_.add(name), StringId{}, value}); };
  while (nested.next()) {
    switch (nested.tag()) {
      case f::nested::kKeys:
        keys.push_back(to_text(nested.get_view()));
        break;
      case f::nested::kValues:
        entries.push_back(nested.get_view());
        break;
      case f::nested::kElements:
        elements.push_back(nested.get_view());
        break;
      case f::nested::kInt:
        add(nested.get_int64());
        break;
      case f::nested::kDouble:
        add(nested.get_double());
        break;
      case f::nested::kBool:
        values.push_back(json_value(name, nested.get_bool() ? "true" : "false"));
        break;
      case f::nested::kText:
        add(strings_.add(to_text(nested.get_view())));
        break;
      case f::nested::kType:
        nested.skip();
        break;
      default:
        skip("fields of arguments that vizd does not know");
        nested.skip();
    }
  }
  if (keys.size() != entries.size()) skip("members of arguments without a name or a value");
  for (std::size_t i = 0; i < std::min(keys.size(), entries.size()); ++i)
    take_nested(pbf_reader(entries[i]), name + "." + keys[i], values, depth + 1);
  for (std::size_t i = 0; i < elements.size(); ++i)
    take_nested(pbf_reader(elements[i]), fmt::format("{}[{}]", name, i), values, depth + 1);
}

void TraceDecoder::write_annotation(JsonWriter& json, const Annotation& annotation, const Sequence& sequence,
                                    int depth) {
  if (depth > kMostDepth) {
    skip("annotations nested too deep");
    json.null();
    return;
  }
  if (annotation.value && annotation.unit != StringId{}) {
    json.raw(strings_.get(std::get<StringId>(*annotation.value)));
  } else if (annotation.value) {
    write_value(json, *annotation.value, strings_);
  } else if (!annotation.entries.empty()) {
    json.begin_object();
    for (const protozero::data_view view : annotation.entries) {
      const Annotation entry = read_annotation(pbf_reader(view), sequence);
      write_annotation(json.key(entry.name), entry, sequence, depth + 1);
    }
    json.end_object();
  } else {
    json.begin_array();
    for (const protozero::data_view view : annotation.elements)
      write_annotation(json, read_annotation(pbf_reader(view), sequence), sequence, depth + 1);
    json.end_array();
  }
}

}  // namespace vizd::perfetto
