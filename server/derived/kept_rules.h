// The effects of a capture's matches, kept in a file of the cache folder as captures are (session/kept_capture.h):
// replaying a capture of very many takes long, and opening the same files again need not do it again. Any thread.
#pragma once

#include <optional>
#include <stop_token>

#include "rewrite/rule_table.h"
#include "session/loaded_capture.h"

namespace vizd {

// None where none are kept, or those that are do not fit the capture.
std::optional<RuleTable> load_kept_rules(const LoadedCapture& loaded, const CacheOptions& options);

// Keeps those of a capture that takes long; what fails is logged.
void keep_rules(const LoadedCapture& loaded, const CacheOptions& options, const RuleTable& table,
                const std::stop_token& stop);

}  // namespace vizd
