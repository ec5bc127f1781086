// What the stages of a GPU's work are called in Perfetto's traces, and the categories of a Chrome trace that say the
// same; and the names of a GPU's queues. Pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace vizd::perfetto {

// PyTorch's stages have categories of their own. Of other programs copies and sets are told by their words, and all
// else is kernels.
std::string_view category_of_stage(std::string_view stage);
// The stage that has exactly that category; "" where work of it is none of a GPU's.
std::string_view stage_of_category(std::string_view category);

// The name that an argument of a Chrome trace has beside a stage ("device id" for "device"), and the other way round;
// the same of all others.
std::string_view stage_argument(std::string_view name);
std::string_view trace_argument(std::string_view name);

struct QueueName {
  std::optional<std::int64_t> number;
  std::string_view name;
};
// "[0007] stream 7" and "stream 7" are 7 and "stream 7". A text without a number is its name.
QueueName parse_queue(std::string_view text);

}  // namespace vizd::perfetto
