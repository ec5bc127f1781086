#include "cli/query/sql_source.h"

#include "derived/naming_sources.h"
#include "derived/recorded_rows.h"

namespace vizd {

sql::Source sql_source(const LoadedCapture& loaded, SourceLines& lines) {
  return {.capture = &loaded.capture,
          .timeline = &loaded.timeline,
          .name = loaded.set.name,
          .replays = [&](auto devices) { return find_named_replays(loaded, std::move(devices)); },
          .recorded = [&](const Budget& budget) { return recorded_rows(loaded.capture, budget); },
          .source_line = [&](const Location& at) { return lines.line(loaded.capture, at); }};
}

}  // namespace vizd
