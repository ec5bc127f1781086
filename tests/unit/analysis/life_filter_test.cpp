// Words that pick allocations.
#include "analysis/allocator/life_filter.h"

#include "support/catch.h"

namespace vizd::life_filter_test {
namespace {

// Three allocations of two sites: of 512 bytes, of 2 MiB and of 3e9 bytes, one behind the other.
struct Made {
  Capture capture;
  Track track;

  Made() {
    const auto word = [&](const char* text) { return capture.strings.add(text); };
    capture.stacks.push_back({.frame = {.function = word("main"), .file = word("/home/me/Train.py"), .line = 3}});
    capture.stacks.push_back(
        {.frame = {.function = word("Softmax"), .file = word("/home/me/nn.py"), .line = 6}, .caller = StackId{0}});
    auto log = std::make_shared<AllocatorLog>();
    log->sites.push_back({.stack = StackId{1}, .depth = 2, .operation = word("empty_like"), .phase = word("forward")});
    log->sites.push_back(
        {.forward = StackId{0}, .compile_context = word("Torch-Compiled Region: 0/1"), .metadata = word("layer 7")});
    std::uint64_t address = 0x7f00;
    for (const std::uint64_t bytes : {std::uint64_t{512}, std::uint64_t{2} << 20, std::uint64_t{3'000'000'000}}) {
      track.allocations.push_back({.count = bytes, .item_size_bytes = 1, .address = address});
      log->lives.site.push_back(bytes == 512 ? 1 : 0);
      address += bytes;
    }
    track.allocator = std::move(log);
  }

  // The places of those that hold, "?" where the words make no sense.
  std::string pick(std::string_view words) const {
    auto filter = LifeFilter::parse(capture, track, words);
    if (!filter) return "? " + filter.error().text();
    std::string found;
    for (std::uint32_t life = 0; life < 3; ++life) {
      if (filter->holds(life)) found += std::to_string(life);
    }
    return found;
  }
};

TEST_CASE("sizes are compared in any unit, and none is exactly either") {
  const Made made;
  CHECK(made.pick("size>1e9") == "2");
  CHECK(made.pick("size<1e9") == "01");
  CHECK(made.pick("size>2MB") == "12");
  CHECK(made.pick("size>2MiB") == "2");  // one is just that
  CHECK(made.pick("size<2mib") == "0");
  CHECK(made.pick("size>511 size<513B") == "0");
}

TEST_CASE("a part of a text picks, in the place that is named or in any, whatever the letters' size") {
  const Made made;
  CHECK(made.pick("frame:softmax") == "12");
  CHECK(made.pick("frame:train.py:3") == "012");  // of the last two the stack, of the first its forward's
  CHECK(made.pick("operator:EMPTY") == "12");
  CHECK(made.pick("phase:backward").empty());
  CHECK(made.pick("metadata:layer") == "0");
  CHECK(made.pick("compile:0/1") == "0");
  CHECK(made.pick("softmax size>1e9") == "2");
  CHECK(made.pick("compiled") == "0");
  CHECK(made.pick("frame:empty_like").empty());
  CHECK(made.pick("") == "012");
}

TEST_CASE("an address picks what it lies in") {
  const Made made;
  CHECK(made.pick("0x7f00") == "0");
  CHECK(made.pick("0x80ff") == "0");
  CHECK(made.pick("address:8100") == "1");
  CHECK(made.pick("address:0x7eff").empty());
}

TEST_CASE("words that make no sense are refused, with what would") {
  const Made made;
  CHECK(made.pick("size>much").starts_with("? "));
  CHECK(made.pick("size>").find("size>1e9") != std::string::npos);
  CHECK(made.pick("size>-1").starts_with("? "));
  CHECK(made.pick("size>1e30").starts_with("? "));
  CHECK(made.pick("address:here").starts_with("? "));
  CHECK(made.pick("0xyz").empty());  // a word like any other
}

}  // namespace
}  // namespace vizd::life_filter_test
