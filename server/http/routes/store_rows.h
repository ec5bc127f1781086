// A store's rows as JSON. Any thread.
#pragma once

#include "base/json_writer.h"
#include "http/transport/message.h"
#include "store/answer.h"

namespace vizd {

// Writes "columns": [NAME..], "rows": [[VALUE..]..]: a whole number that JavaScript's numbers do not hold as its
// digits, in an array; an array as one.
void write_rows(JsonWriter& json, const store::Answer& answer);

// If the server at the store's address does not answer like a store, that is a bad gateway, not vizd's own fault.
Response store_error_response(const Error& error);

}  // namespace vizd
