// The types and sizes of values as torch.export's serializer writes them. Pure functions.
#pragma once

#include <cstdint>
#include <optional>

#include "formats/etdump/exported_program.h"
#include "formats/etdump/json_document.h"

namespace vizd::etdump {

// By the serializer's number; none of one that is no type.
std::optional<ScalarType> type_of_schema(std::int64_t number);

// Reads what "tensor_values" says of a value: its type and its sizes.
void read_type(simdjson::dom::element facts, ProgramValue& value);

}  // namespace vizd::etdump
