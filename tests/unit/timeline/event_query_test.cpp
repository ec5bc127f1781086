// What a person may type to find events: words and conditions on arguments; and found events in another order.
#include "timeline/event_query.h"

#include <string>
#include <vector>

#include "support/catch.h"
#include "timeline/event_order.h"

namespace vizd::event_query_test {
namespace {

struct Searched {
  Searched() {
    Track& track = capture.profile.tracks.emplace_back();
    std::int64_t start_ns = 0;
    for (const std::string_view name : {"\x1b[34mGEMM\x1b[0m_32", "at::copy<float>", "copy", "idle"})
      track.events.push_back({.start_ns = start_ns += 100, .dur_ns = 50, .name = capture.strings.add(name)});
    track.events.push_back({.start_ns = 600,
                            .dur_ns = 3'000'000,
                            .name = capture.strings.add("wait"),
                            .category = capture.strings.add("Sync")});
    std::vector<ArgumentColumn>& columns = track.arguments;
    const auto add = [&](std::string_view name, std::uint32_t event, ArgumentValue value) {
      find_or_add_argument(columns, capture.strings.add(name), StringId{}, type_of(value)).push_back(event, value);
    };
    add("Memory", 0, std::int64_t{4096});
    add("Memory", 1, std::int64_t{2'000'000});
    add("Memory", 2, std::int64_t{-1});
    add("loads and stores", 1, 0.5);
    add("shape", 0, capture.strings.add("[2,3] Half"));
    add("shape", 2, capture.strings.add("[2,3]"));
    timeline = prepare_timeline(capture, 1);
  }

  // Names of what is found, in order of start.
  std::string find(std::string_view text) const {
    const Picks picks = find_by_text(capture, timeline, text, 2);
    std::string names;
    for (const EventPlace& place : marked_in_order(capture, picks, {0}, {}, 100)) names += name_of(place) + " ";
    return names;
  }
  std::string sorted(std::string_view text, std::string_view order, std::size_t limit = 100) const {
    std::string names;
    for (const EventPlace& place :
         marked_in_order(capture, find_by_text(capture, timeline, text, 1), {0}, *parse_event_order(order), limit))
      names += name_of(place) + " ";
    return names;
  }
  std::string name_of(const EventPlace& place) const {
    const std::string name(capture.strings.get(capture.profile.tracks[0].events.name(place.event)));
    return name.starts_with('\x1b') ? "gemm" : name;
  }

  Capture capture;
  Timeline timeline;
};

TEST_CASE("words are looked for in names, categories and texts of arguments, without colours, in any case") {
  const Searched s;
  CHECK(s.find("gemm_3") == "gemm ");
  CHECK(s.find("34m") == "");
  CHECK(s.find("COPY") == "at::copy<float> copy ");
  CHECK(s.find("sync") == "wait ");
  CHECK(s.find("half") == "gemm ");
  CHECK(s.find("[2,3]") == "gemm copy ");
  CHECK(s.find("") == "");
  CHECK(s.find("  ") == "");
}

TEST_CASE("conditions compare arguments as numbers or as texts, and all must hold") {
  const Searched s;
  CHECK(s.find("memory>1e6") == "at::copy<float> ");
  CHECK(s.find("memory<=4KiB") == "gemm copy ");
  CHECK(s.find("memory:4096") == "gemm ");
  CHECK(s.find("memory!=4096") == "at::copy<float> copy ");
  CHECK(s.find("loads and stores>=0.5") == "at::copy<float> ");
  CHECK(s.find("shape:half") == "gemm ");
  CHECK(s.find("shape=[2,3]") == "copy ");
  CHECK(s.find("shape=\"[2,3] half\"") == "gemm ");
  CHECK(s.find("copy memory<0") == "copy ");
  CHECK(s.find("memory<1M copy") == "copy ");
  CHECK(s.find("dur>1ms") == "wait ");
  CHECK(s.find("category:syn dur<1us") == "");
  CHECK(s.find("memory>lots") == "");
}

TEST_CASE("signs are part of a word where nothing of that name is there, and in quotation picks") {
  const Searched s;
  CHECK(s.find("copy<float>") == "at::copy<float> ");
  CHECK(s.find("at::") == "at::copy<float> ");
  CHECK(s.find("\"memory>1\"") == "");
  CHECK(s.find("\"copy\"") == "at::copy<float> copy ");
  CHECK(s.find("\"half\"") == "");  // in names alone
}

TEST_CASE("what was found comes in order of duration, name or an argument, without it last") {
  const Searched s;
  const std::string all = "dur>=0";
  CHECK(s.sorted(all, "-dur", 1) == "wait ");
  CHECK(s.sorted(all, "name") == "gemm at::copy<float> copy idle wait ");
  CHECK(s.sorted(all, "-start", 2) == "wait idle ");
  CHECK(s.sorted(all, "argument:Memory") == "copy gemm at::copy<float> idle wait ");
  CHECK(s.sorted(all, "-argument:Memory", 4) == "at::copy<float> gemm copy idle ");
  CHECK(s.sorted(all, "argument:none", 2) == "gemm at::copy<float> ");
  CHECK(!parse_event_order("durr"));
}

TEST_CASE("quantities have units, and what is none is none") {
  CHECK(parse_quantity("1.5e6") == 1.5e6);
  CHECK(parse_quantity("16kib") == 16384);
  CHECK(parse_quantity("-20us") == -20'000);
  CHECK(!parse_quantity("20 us"));
  CHECK(!parse_quantity("abc"));
  CHECK(!parse_quantity(""));
}

}  // namespace
}  // namespace vizd::event_query_test
