// A store's rows as JSON. Any thread.
#pragma once

#include "base/json_writer.h"
#include "http/transport/message.h"
#include "store/answer.h"

namespace vizd {

// Writes "columns": [NAME..], "rows": [[VALUE..]..]: a whole number that JavaScript's numbers do not hold as its
// digits, in an array; an array as one.
void write_rows(JsonWriter& json, const store::Answer& answer);

// What stands at the store's address and answers like none is no fault of vizd's own: a bad gateway.
Response store_error_response(const Error& error);

}  // namespace vizd
