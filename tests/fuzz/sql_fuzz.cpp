// Any text as a query of a small profile: it is answered within its time, or refused with a reason. Nothing is changed
// by it: the slices are as many after it as before.
#include <chrono>
#include <cstdint>
#include <string_view>

#include "base/assert.h"
#include "query/database.h"
#include "support/made_profile.h"
#include "timeline/timeline.h"

namespace {

struct Made {
  Made() {
    vizd::fill_profile({.events = 300, .lanes = 4, .names = 7, .overlapping = 0.2}, capture);
    timeline = vizd::prepare_timeline(capture, 1);
  }
  vizd::Capture capture;
  vizd::Timeline timeline;
};

struct FewRows : vizd::sql::ResultSink {
  void begin(const std::vector<vizd::sql::ResultColumn>& begun) override { columns = begun.size(); }
  bool add(const std::vector<vizd::sql::Value>& row) override {
    VIZD_ASSERT(row.size() == columns);
    last = row[0];
    return ++rows < 100;
  }
  std::size_t columns = 0, rows = 0;
  vizd::sql::Value last;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const Made made;
  vizd::sql::Catalog catalog({{.capture = &made.capture, .timeline = &made.timeline, .name = "made"}},
                             vizd::Budget({}, std::chrono::milliseconds(200)));
  vizd::sql::Database database(catalog);
  FewRows sink;
  const auto ran = database.run(std::string_view(reinterpret_cast<const char*>(data), size), sink);
  VIZD_ASSERT(ran || !ran.error().message.empty());

  vizd::sql::Catalog after({{.capture = &made.capture, .timeline = &made.timeline, .name = "made"}}, {});
  vizd::sql::Database unchanged(after);
  FewRows count;
  VIZD_ASSERT(unchanged.run("SELECT count(*) FROM slice", count));
  VIZD_ASSERT(std::get<std::int64_t>(count.last) == 300);
  return 0;
}
