#include "cli/query/sql_source.h"

namespace vizd {

sql::Source sql_source(const LoadedCapture& loaded, SourceLines& lines) {
  return {.capture = &loaded.capture,
          .timeline = &loaded.timeline,
          .name = loaded.set.name,
          .source_line = [&](const Location& at) { return lines.line(loaded.capture, at); }};
}

}  // namespace vizd
