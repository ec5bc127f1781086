// The routes: what vizd answers under /api/v1/ (API.md) and under the reference's own paths (tinygrad serve.py). Each
// add_ function is one file. Handlers run on many threads at once; what they need lives as long as the server.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "base/json_writer.h"
#include "http/answer_cache.h"
#include "http/assets.h"
#include "http/router.h"
#include "session/session.h"
#include "session/source_lines.h"

namespace vizd {

struct Services {
  Session& session;
  SourceLines& sources;
  AnswerCache& answers;
  const std::optional<Assets>& assets;
  bool announces_assets = false;  // --dev: open pages hear of new assets
};

void add_session_routes(Router& router, const Services& services);    // session, events
void add_context_routes(Router& router, const Services& services);    // contexts, program
void add_profile_routes(Router& router, const Services& services);    // profile
void add_reference_routes(Router& router, const Services& services);  // ctxs, get_profile, disasm

// The capture that ?capture= names, or the first. Waits a while where it is still being read.
Result<std::shared_ptr<const LoadedCapture>> capture_of(const Request& request, const Services& services);

// [file, line, code|null] of every location of the capture, as API.md has them.
void write_locations(JsonWriter& json, const Capture& capture, SourceLines& sources);
void write_location(JsonWriter& json, const Capture& capture, LocationId location, SourceLines& sources);

}  // namespace vizd
