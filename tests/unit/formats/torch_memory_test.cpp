// Memory snapshots of PyTorch: what becomes of their entries, what follows from them, and what is left out of those
// that make no sense.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <vector>

#include "base/mapped_file.h"
#include "formats/registry.h"
#include "formats/torch_memory/block_size.h"
#include "formats/torch_memory/format.h"
#include "formats/torch_memory/formatted_stack.h"
#include "model/allocator_log.h"
#include "reference/torch_memory/records.h"
#include "reference/torch_memory/replayed_shape.h"
#include "support/catch.h"
#include "support/made_snapshot.h"
#include "support/pickle_writer.h"
#include "support/places.h"
#include "support/read_outcome.h"
#include "support/temporary_folder.h"

namespace vizd::torch_memory_test {
namespace {

using namespace torch_memory;
using namespace made_snapshot;

constexpr std::int64_t kMiB = std::int64_t{1} << 20;
constexpr std::uint64_t kBase = std::uint64_t{1} << 40;

std::unique_ptr<Snapshot> read(const std::string& bytes) {
  auto snapshot = read_snapshot({.name = "s", .bytes = as_bytes(bytes)});
  if (!snapshot) FAIL(snapshot.error().text());
  return std::move(*snapshot);
}

std::unique_ptr<MemoryFile> open(const std::vector<Document>& segments, const std::vector<Document>& entries,
                                 const Document& more = Document::object()) {
  Document traces = Document::array();
  traces.push_back(entries);  // of the one device
  Document top{{"segments", segments}, {"device_traces", traces}};
  for (const auto& [key, value] : more.items()) top[key] = value;
  return std::make_unique<MemoryFile>(read(pickled(top)));
}

std::uint64_t left_out(const Snapshot& snapshot) {
  std::uint64_t sum = 0;
  for (const auto& [reason, count] : snapshot.skipped) sum += count;
  return sum;
}

std::vector<Counters> counters_of(Replay& replay) {
  std::vector<Counters> all;
  replay.visit_all([&](const Replay::State& state) { all.push_back(state.counters); });
  return all;
}

// Three MiB and a byte of a segment of twenty, then sixteen: less than a MiB would be left of the rest.
const std::vector<Document> kEntries{
    entry("segment_alloc", kBase, 20 * kMiB, 10), entry("alloc", kBase, 3 * kMiB + 1, 11),
    entry("alloc", kBase + 3 * kMiB + 512, 16 * kMiB, 12), entry("free_requested", kBase, 3 * kMiB + 1, 13),
    entry("free_completed", kBase, 3 * kMiB + 1, 14)};
const std::vector<Document> kSegments{
    segment(kBase, {{3 * kMiB + 512, 0, "inactive"}, {17 * kMiB - 512, 16 * kMiB, "active_allocated"}})};

TEST_CASE("torch-memory: blocks and counters follow from the end, the entries and the allocator's rules") {
  const auto file = open(kSegments, kEntries);
  Replay& replay = *file->replays().at(0);
  const auto rest = 17 * kMiB - 512, first = 3 * kMiB + 512;
  const std::vector<Counters> expected{{},
                                       {{20 * kMiB, 0, 0, 0}},
                                       {{20 * kMiB, first, first, 3 * kMiB + 1}},
                                       {{20 * kMiB, 20 * kMiB, 20 * kMiB, 19 * kMiB + 1}},
                                       {{20 * kMiB, rest, 20 * kMiB, 19 * kMiB + 1}},
                                       {{20 * kMiB, rest, rest, 16 * kMiB}}};
  CHECK(counters_of(replay) == expected);
  CHECK(replay.is_exact());
  CHECK(replay.peak_moment(Quantity::kAllocated) == 2);
  CHECK(replay.peak()[Quantity::kAllocated] == 20 * kMiB);
  CHECK(replay.time_ns(2) == 12'000);
}

TEST_CASE("torch-memory: of a ring that lost its first entries the start is known all the same") {
  const auto file = open(kSegments, {kEntries.begin() + 2, kEntries.end()});
  const Replay& replay = *file->replays().at(0);
  CHECK(replay.start() == Counters{{20 * kMiB, 3 * kMiB + 512, 3 * kMiB + 512, 3 * kMiB + 1}});
  REQUIRE(replay.lives_before() == 1);
  const Life& before = replay.lives()[0];
  CHECK(!before.is_born());
  CHECK(before.freed == 1);
  CHECK(before.completed == 2);
  CHECK(replay.is_exact());
}

TEST_CASE("torch-memory: a free that completes first of all was asked for before") {
  std::vector<Document> entries{kEntries[4]};
  for (const char* action : {"alloc", "free_requested", "free_completed"})
    entries.push_back(entry(action, kBase, 512, 20));
  const auto file = open(kSegments, entries);
  const Replay& replay = *file->replays().at(0);
  CHECK(replay.start()[Quantity::kAllocated] == 17 * kMiB - 512);
  CHECK(replay.start()[Quantity::kActive] == 20 * kMiB);
}

TEST_CASE("torch-memory: an expandable segment grows, shrinks in its middle, and ends as two") {
  const auto file =
      open({segment(kBase + 20 * kMiB, {{10 * kMiB, 0, "inactive"}, {30 * kMiB, 30 * kMiB, "active_allocated"}}, true)},
           {entry("segment_map", kBase, 40 * kMiB, 1), entry("alloc", kBase, 30 * kMiB, 2),
            entry("segment_map", kBase + 40 * kMiB, 20 * kMiB, 3), entry("alloc", kBase + 30 * kMiB, 30 * kMiB, 4),
            entry("free_requested", kBase, 30 * kMiB, 5), entry("free_completed", kBase, 30 * kMiB, 5),
            entry("segment_unmap", kBase, 20 * kMiB, 6)});
  Replay& replay = *file->replays().at(0);
  std::vector<std::int64_t> reserved;
  for (const Counters& counters : counters_of(replay)) reserved.push_back(counters[Quantity::kReserved] / kMiB);
  CHECK(reserved == std::vector<std::int64_t>{0, 40, 40, 60, 60, 60, 60, 40});
  CHECK(replay.is_exact());
  CHECK(replay.strange_segment_events() == 0);
}

TEST_CASE("torch-memory: an allocation ends what it lies over, whose free was not recorded") {
  const std::uint64_t far = kBase + static_cast<std::uint64_t>(kMiB);
  const auto file = open(
      {segment(kBase,
               {{kMiB + 512, 0, "inactive"}, {4096, 4096, "active_allocated"}, {19 * kMiB - 4608, 0, "inactive"}})},
      {entry("alloc", kBase, kMiB, 1), entry("alloc", kBase, 512, 2), entry("free_requested", kBase, 512, 3),
       entry("free_completed", kBase, 512, 3), entry("alloc", far, 2 * kMiB, 4), entry("alloc", far + 512, 4096, 5)});
  const Replay& replay = *file->replays().at(0);
  CHECK(replay.lost() == 2);
  std::vector<std::pair<std::int64_t, bool>> ends;
  for (const Life& life : replay.lives()) ends.emplace_back(life.completed, life.is_lost);
  CHECK(ends == std::vector<std::pair<std::int64_t, bool>>{{1, true}, {3, false}, {5, true}, {kNever, false}});
  CHECK(replay.end()[Quantity::kAllocated] == 4096);
}

TEST_CASE("torch-memory: requests are rounded to 512 bytes, or to a division of their power of two") {
  const std::array<std::uint64_t, 16> none{};
  std::array<std::uint64_t, 16> eight{};
  eight.fill(8);
  const auto all = [](const std::array<std::uint64_t, 16>& divisions, const std::vector<std::uint64_t>& requests) {
    std::vector<std::uint64_t> sizes;
    for (const std::uint64_t request : requests) sizes.push_back(rounded(request, divisions));
    return sizes;
  };
  CHECK(all(none, {0, 1, 512, 513, 1000, (1 << 20) + 1}) ==
        std::vector<std::uint64_t>{512, 512, 512, 1024, 1024, (1 << 20) + 512});
  CHECK(all(eight, {4096, 4097, 1 << 20, (1 << 20) + 1, 9 << 20}) ==
        std::vector<std::uint64_t>{4096, 4608, 1 << 20, 9 << 17, 9 << 20});
}

TEST_CASE("torch-memory: what lies free at a moment, and what of it could be given back") {
  const auto shape = [](const std::vector<BlockRow>& rows, bool is_expandable) {
    const auto file = open({segment(kBase, rows, is_expandable)}, {});
    AllocatorShape found;
    file->replays().at(0)->visit(kBeforeFirst, [&](const Replay::State& state) { found = shape_of(state); });
    return found;
  };
  const AllocatorShape mixed = shape({{2 * kMiB, 0, "inactive"},
                                      {5 * kMiB, 5 * kMiB - 100, "active_allocated"},
                                      {kMiB, 0, "inactive"},
                                      {12 * kMiB, 12 * kMiB, "active_pending_free"}},
                                     false);
  CHECK(mixed.inactive_bytes == 3 * kMiB);
  CHECK(mixed.free_blocks == 2);
  CHECK(mixed.largest_free_bytes == 2 * kMiB);
  CHECK(mixed.releasable_bytes == 0);
  CHECK(mixed.internal_bytes == 100);
  CHECK(mixed.pending_bytes == 12 * kMiB);
  CHECK(shape({{20 * kMiB, 7, "inactive"}}, false).releasable_bytes == 20 * kMiB);
  CHECK(shape({{2 * kMiB, 2 * kMiB, "active_allocated"}, {58 * kMiB, 0, "inactive"}}, true).releasable_bytes ==
        40 * kMiB);
}

TEST_CASE("torch-memory: a stack says who asked, which operator it was, and in which phase") {
  const auto frame = [](const char* name, const char* file, int line) {
    return Document{{"name", name}, {"filename", file}, {"line", line}};
  };
  const Document stack =
      Document::array({frame("torch::unwind::unwind()", "??", 0), frame("at::_ops::empty::call(long)", "??", 0),
                       frame("at::_ops::mm::redispatch(long)", "??", 0), frame("at::_ops::mm::call(long)", "??", 0),
                       frame("_call_impl", "/e/site-packages/torch/nn/modules/module.py", 3),
                       frame("at::_ops::linear::call(long)", "??", 0), frame("forward", "D:\\app\\model.py", 7)});
  Document alloc = entry("alloc", kBase, 512, 1), backward = entry("alloc", kBase + 512, 512, 2);
  alloc["frames"] = stack;
  backward["frames"] = Document::array({frame("torch::autograd::Engine::thread_main(int)", "??", 0)});
  const auto file = open({}, {alloc, backward, entry("alloc", kBase + 1024, 512, 3)});
  const auto lives = file->replays().at(0)->lives();
  REQUIRE(lives.size() == 3);
  const StackWords& words = file->words();
  CHECK(words.user_frame(lives[0].stack) == "D:\\app\\model.py:7:forward");
  CHECK(words.user_file(lives[0].stack) == "D:\\app\\model.py");
  CHECK(words.of(lives[0].stack).operator_name == "mm");
  CHECK(words.of(lives[0].stack).phase == Phase::kForward);
  CHECK(words.of(lives[1].stack).phase == Phase::kBackward);
  CHECK(!words.user_frame(lives[1].stack));
  CHECK(words.of(lives[2].stack).phase == Phase::kNone);
}

TEST_CASE("torch-memory: a formatted stack is its frames, with the code below each") {
  const std::vector<std::string_view> texts{"  File \"C:\\my, line 3\\train.py\", line 12, in <module>\n    main()\n",
                                            "  File \"/app/model.py\", line 33, in forward\n",
                                            "    x = self.q(x)\n",
                                            "        ^^^^^^^^^\n",
                                            "  [Previous line repeated 2 more times]\n",
                                            "File \"a.py\", line 99999999999, in f"};
  using Frames = std::vector<FormattedFrame>;
  CHECK(parse_formatted_stack(texts) == Frames{{"<module>", "C:\\my, line 3\\train.py", 12, "main()"},
                                               {"forward", "/app/model.py", 33, "x = self.q(x)"},
                                               {"[Previous line repeated 2 more times]", "", 0, ""},
                                               {"f", "a.py", 0, ""}});
  CHECK(parse_formatted_stack({}).empty());
}

TEST_CASE("torch-memory: where the forward of a backward pass was is kept, of entries and of blocks") {
  const Document lines = Document::array({"  File \"/app/train.py\", line 7, in step\n    loss = model(x)\n",
                                          "  File \"/app/model.py\", line 33, in forward\n", "    x = self.q(x)\n", 5,
                                          "  File \"/e/site-packages/torch/nn/functional.py\", line 2, in linear\n"});
  Document first = entry("alloc", kBase, 512, 1), second = entry("alloc", kBase + 512, 512, 2);
  first["forward_frames"] = lines;
  second["forward_frames"] = Document::array();
  Document held =
      segment(kBase, {{512, 512, "active_allocated"}, {512, 512, "active_allocated"}, {512, 512, "active_allocated"}});
  held["blocks"][2]["forward_frames"] = lines;
  Document top;
  top["segments"] = Document::array({held});
  top["device_traces"] = Document::array({Document::array({first, second})});
  Capture capture;
  const std::string bytes = pickled(top);
  REQUIRE(read_capture({.name = "s", .bytes = as_bytes(bytes)}, capture));
  CHECK(capture.skipped ==
        std::map<std::string, std::uint64_t>{{"what stands among the lines of a forward stack and is none", 2}});
  const auto& tracks = capture.profile.tracks;
  REQUIRE(tracks.size() == 1);
  const AllocatorLog& log = *tracks[0].allocator;
  const auto forward_of = [&](std::size_t life) {
    const AllocationSite& site = log.sites[log.lives.site[life]];
    std::string text(capture.strings.get(site.forward_frame));
    for (const vizd::Frame& frame : frames_of(capture.stacks, site.forward)) {
      text += " " + std::string(capture.strings.get(frame.function)) + "[" +
              std::string(capture.strings.get(frame.code)) + "]";
    }
    return text;
  };
  REQUIRE(log.lives.size() == 3);  // the one that was there before is the first
  const std::string expected = "/app/model.py:33:forward linear[] forward[x = self.q(x)] step[loss = model(x)]";
  CHECK(forward_of(0) == expected);
  CHECK(forward_of(1) == expected);
  CHECK(forward_of(2).empty());
}

TEST_CASE("torch-memory: an end closes the last range that is open of its name") {
  const auto say = [](const char* stage, const char* name, int time_us) {
    return Document{{"stage", stage}, {"name", name}, {"device", 0}, {"time_us", time_us}};
  };
  const auto file =
      open({}, {entry("snapshot", 0, 0, 1)},
           {{"external_annotations", Document::array({say("END", "x", 0), say("START", "a", 1), say("START", "a", 2),
                                                      say("END", "a", 3), say("START", "b", 4), say("END", "a", 5)})}});
  std::vector<std::pair<std::int64_t, std::int64_t>> times;
  for (const NamedRange& range : file->ranges()) times.emplace_back(range.start_ns, range.end_ns.value_or(-1));
  CHECK(times == std::vector<std::pair<std::int64_t, std::int64_t>>{{1000, 5000}, {2000, 3000}, {4000, -1}});
}

TEST_CASE("torch-memory: the page that PyTorch draws a snapshot into is that snapshot") {
  const auto page = [](std::string_view letters, std::string_view end = R"("}]
add_local_files(local_files, 'Active Memory Timeline')
</script>)") {
    return std::string(R"(
<!DOCTYPE html>
<script type="module">
import {add_local_files} from "https://cdn.example/torch/utils/viz/MemoryViz.js"
const local_files = [{"name": "snapshot.pickle", "base64": ")") +
           std::string(letters) + std::string(end);
  };
  // pickle.dumps({"segments": [], "device_traces": [[]]}, 2) and the zeros that fill it up, in base64.
  const std::string letters = "gAJ9cQAoWAgAAABzZWdtZW50c3EBXXECWA0AAABkZXZpY2VfdHJhY2VzcQNdcQRdcQVhdS4A";
  CHECK(sniff({.bytes = as_bytes(page(letters))}));
  CHECK(!sniff({.bytes = as_bytes("<!DOCTYPE html><p>MemoryViz")}));
  const auto snapshot = read(page(letters));
  CHECK(snapshot->traces.size() == 1);
  CHECK(snapshot->warnings.empty());  // what fills it up is no second file
  const auto refused = [&](const std::string& bytes) {
    auto made = read_snapshot({.name = "s", .bytes = as_bytes(bytes)});
    return made ? std::string() : made.error().text();
  };
  CHECK(refused(page("gAJ9cQ!oWAgAAABz")).find("is not base64") != std::string::npos);
  CHECK(refused("<script>MemoryViz.js</script>").find("contains no snapshot") != std::string::npos);
  CHECK(refused(page(letters.substr(0, 40), "")).starts_with("s:"));  // it is cut
  CHECK(!refused(page("")).empty());
}

TEST_CASE("torch-memory: lists of the same frames are one stack, in however many steps they are filled") {
  PickleWriter out;
  const auto frame = [&](int line) -> PickleWriter& {
    return out.dict()
        .mark()
        .text("name")
        .text("f")
        .text("filename")
        .text("a.py")
        .text("line")
        .integer(line)
        .set_items();
  };
  const auto begin_entry = [&](std::int32_t address) {
    out.dict().mark().text("action").text("alloc").text("addr").integer(address).text("size").integer(512);
    out.text("stream").integer(0).text("frames");
  };
  out.dict().mark().text("segments").list().text("device_traces").list().mark().list().mark();
  begin_entry(512);
  out.list().mark();
  frame(1), frame(2);
  out.appends().set_items();
  begin_entry(1024);
  out.list();
  frame(1).raw("a");
  frame(2).raw("a");
  out.set_items();
  begin_entry(2048);
  out.list().mark();
  frame(2);
  out.appends().set_items().appends().appends().set_items();
  const auto snapshot = read(out.finish());
  REQUIRE(snapshot->entries.size() == 3);
  CHECK(snapshot->entries.stack[0] == snapshot->entries.stack[1]);
  CHECK(snapshot->entries.stack[0] != snapshot->entries.stack[2]);
  CHECK(snapshot->stacks.get(snapshot->entries.stack[0]).size() == 2);
}

TEST_CASE("torch-memory: a dict may be filled key by key, and begin with one that tells nothing") {
  PickleWriter out;
  out.dict().text("device_traces").list().list().dict();
  out.text("size").integer(512).raw("s").text("addr").integer(512).raw("s");
  out.text("action").text("alloc").raw("s").text("stream").integer(3).raw("s").raw("aas");
  out.text("segments").list().raw("s");
  const auto snapshot = read(out.finish());
  REQUIRE(snapshot->entries.size() == 1);
  CHECK(snapshot->entries.action[0] == Action::kAlloc);
  CHECK(snapshot->entries.size_bytes[0] == 512);
  CHECK(snapshot->entries.address[0] == 512);
  CHECK(snapshot->streams[snapshot->entries.stream[0]].magnitude == 3);
}

TEST_CASE("torch-memory: what makes no sense is left out and counted, and the rest is read") {
  const auto with = [](const char* key, const Document& value) {
    Document changed = kEntries[1];
    changed[key] = value;
    return changed;
  };
  Document without = kEntries[1];
  without.erase("size");
  const std::vector<Document> wrong{
      with("size", -5), with("size", 1.5), with("size", "x"), with("addr", "0x7f"), with("addr", -1), with("action", 5),
      without};
  for (const Document& one : wrong) {
    INFO(one.dump());
    const auto file = open(kSegments, {kEntries[0], one, kEntries[2]});
    CHECK(file->snapshot().entries.size() == 2);
    CHECK(left_out(file->snapshot()) == 1);
  }
  const auto timeless = open(kSegments, {kEntries[0], with("time_us", std::uint64_t{1} << 62)});
  CHECK(timeless->snapshot().entries.size() == 2);
  CHECK(timeless->snapshot().entries.time_ns[1] == kNoTime);
  CHECK(left_out(timeless->snapshot()) == 1);
  const auto unknown = open(kSegments, {kEntries[0], with("action", "defragment")});
  CHECK(unknown->snapshot().entries.size() == 2);
  CHECK(left_out(unknown->snapshot()) == 0);
  CHECK(unknown->snapshot().notes.size() == 1);
  const auto backwards = open(kSegments, {kEntries[1], kEntries[0]});
  CHECK(backwards->snapshot().warnings.size() == 1);
}

TEST_CASE("torch-memory: no figure wraps where sizes are beyond what 64 bits count") {
  const auto most = static_cast<std::int64_t>(~std::uint64_t{0} >> 1);
  const auto file = open({}, {entry("alloc", 512, most, 1), entry("alloc", 1024, most / 2, 2),
                              entry("alloc", 4096, most / 8, 3), entry("alloc", ~std::uint64_t{511}, 512, 4)});
  CHECK(file->snapshot().entries.size() == 2);
  CHECK(file->replays().at(0)->peak()[Quantity::kAllocated] > 0);
}

TEST_CASE("torch-memory: segments and blocks that cannot be are left out") {
  Document below = kSegments[0], far = kSegments[0], over = kSegments[0], beyond = kSegments[0];
  below["device"] = -1;
  far["device"] = 1'000'000'000;
  over["address"] = kBase + 512;
  const auto file = open({kSegments[0], below, far, over}, {});
  CHECK(file->snapshot().segments.size() == 2);
  CHECK(left_out(file->snapshot()) == 2);
  CHECK(file->snapshot().devices() == std::vector<std::int64_t>{0, 1'000'000'000});
  beyond["blocks"][0]["size"] = std::int64_t{1} << 50;
  const auto cut = open({beyond}, {});
  CHECK(cut->snapshot().blocks.size() == 1);
  CHECK(left_out(cut->snapshot()) == 1);
}

TEST_CASE("torch-memory: no class is ever named, and other pickles are no snapshots") {
  const auto refusal = [](const std::string& bytes) {
    const auto snapshot = read_snapshot({.name = "s", .bytes = as_bytes(bytes)});
    return snapshot ? std::string() : snapshot.error().text();
  };
  PickleWriter out;
  out.dict().mark().text("segments").global("os", "system").mark().text("true").reduce();
  CHECK(refusal(out.text("device_traces").list().set_items().finish()).find("names a class") != std::string::npos);
  CHECK(refusal(pickled({{"a", 1}})).find("not a PyTorch memory snapshot") != std::string::npos);
  CHECK(refusal(pickled(Document::array())).find("not a PyTorch memory snapshot") != std::string::npos);
  CHECK(refusal(pickled(7)).find("not a PyTorch memory snapshot") != std::string::npos);
  const std::string whole = pickled({{"segments", kSegments}, {"device_traces", Document::array()}});
  CHECK(refusal(whole).empty());
  CHECK(refusal(whole.substr(0, whole.size() / 2)).find("ends here") != std::string::npos);
  CHECK(read(whole + whole)->warnings.size() == 1);
  CHECK(read(pickled(Document::array({kSegments[0]})))->segments.size() == 1);
}

TEST_CASE("limits: traces of more than 1,024 devices, and stacks of more than 65,536 frames, are cut and counted") {
  std::vector<Document> traces(1030, Document::array({entry("snapshot", 0, 0, 1)}));
  const auto many = read(pickled({{"segments", Document::array()}, {"device_traces", traces}}));
  CHECK(many->traces.size() == 1024);
  CHECK(left_out(*many) == 6);
  PickleWriter out;
  out.dict().mark().text("segments").list().text("device_traces").list().mark().list().mark();
  out.dict().mark().text("action").text("alloc").text("addr").integer(512).text("size").integer(512);
  out.text("stream").integer(0).text("frames").list().mark().dict().mark().text("name").text("f").text("filename");
  out.text("a.py").text("line").integer(1).set_items().memoize();
  for (int i = 0; i < 65'540; ++i) out.get(0);
  out.appends().set_items().appends().appends().set_items();
  const auto deep = read(out.finish());
  REQUIRE(deep->entries.size() == 1);
  CHECK(deep->stacks.get(deep->entries.stack[0]).size() == 65'536);
  CHECK(left_out(*deep) == 5);
}

TEST_CASE("limits: a line of a forward stack is cut after 4,096 bytes, between characters, and counted") {
  std::string line = "  File \"/app/train.py\", line 7, in step\n    ";
  line.resize(4095, 'x');
  Document first = entry("alloc", kBase, 512, 1);
  first["forward_frames"] = Document::array({line + "\u00e9\u00e9", line});
  const auto file = open({}, {first});
  const Snapshot& snapshot = file->snapshot();
  for (const std::uint32_t text : snapshot.forward_stacks.get(snapshot.words.back().forward))
    CHECK(snapshot.strings.get(StringId{text}) == line);
  CHECK(left_out(snapshot) == 1);
}

TEST_CASE("limits: kinds of entries beyond 200, and streams beyond 4,096, are left out and counted") {
  std::vector<Document> kinds, streams;
  for (int i = 0; i < 200; ++i) kinds.push_back(entry(fmt::format("kind {}", i), 512, 512, i));
  const auto known = open({}, kinds);  // beside the ten that vizd knows
  CHECK(known->snapshot().actions.size() == 200);
  CHECK(known->snapshot().entries.size() == 190);
  CHECK(left_out(known->snapshot()) == 10);
  for (int i = 0; i < 4100; ++i) {
    streams.push_back(entry("alloc", 512 * static_cast<std::uint64_t>(i + 1), 512, i));
    streams.back()["stream"] = i;
  }
  const auto many = open({}, streams);
  CHECK(many->snapshot().streams.size() == 4096);
  CHECK(many->snapshot().entries.size() == 4096);
  CHECK(left_out(many->snapshot()) == 4);
}

TEST_CASE("torch-memory: of a large file what was read is let go of, and told") {
  const TemporaryFolder folder;
  constexpr std::size_t kTexts = 40, kTextBytes = std::size_t{1} << 20;
  std::vector<Document> entries;
  for (std::size_t i = 0; i < kTexts; ++i) {
    entries.push_back(entry("alloc", 512 * (i + 1), 512, static_cast<std::int64_t>(i)));
    entries.back()["user_metadata"] = std::string(kTextBytes, static_cast<char>('0' + i));
  }
  folder.write("s.pickle", pickled({{"segments", kSegments}, {"device_traces", Document::array({entries})}}));
  Capture capture;
  FileErrors errors(1);
  std::vector<std::uint64_t> told;
  REQUIRE(read_set({.format = &kFormat, .name = "s", .files = {{"", folder / "s.pickle"}}}, errors, capture,
                   [&](std::uint64_t done_bytes) { told.push_back(done_bytes); }));
  CHECK_FALSE(errors[0]);
  CHECK(told.size() == 3);  // each 16 MiB, and the end
  CHECK((std::ranges::is_sorted(told) && told.back() > kTexts * kTextBytes));
  const AllocatorLog& log = *capture.profile.tracks.at(0).allocator;
  REQUIRE(log.lives.size() == kTexts + 1);
  for (std::size_t i = 0; i < kTexts; ++i) {
    const std::string_view text = capture.strings.get(log.sites[log.lives.site[i + 1]].metadata);
    CHECK((text.size() == kTextBytes && text.back() == static_cast<char>('0' + i)));
  }
}

TEST_CASE("torch-memory: wherever a file is cut, its first entries are those of the whole") {
  for (const char* name : {"train", "cpp", "expandable", "old"}) {
    INFO(name);
    const auto file = MappedFile::open(test_data("../fuzz/corpus/torch_memory/" + std::string(name) + ".pickle"));
    REQUIRE(file);
    const auto all = read_snapshot({.name = "s", .bytes = file->bytes()});
    REQUIRE(all);
    const Entries& expected = (*all)->entries;
    std::size_t last = 0, grown = 0;
    for (std::size_t size = 2; size < file->bytes().size(); ++size) {
      INFO(size);
      const auto first = read_first_entries({.name = "s", .bytes = file->bytes().first(size)}, 1);
      if (!first) continue;  // none is whole so far
      const Entries& entries = (*first)->entries;
      REQUIRE(entries.size() >= last);
      grown += entries.size() > last;
      last = entries.size();
      REQUIRE(last <= expected.size());
      // The last one may lack what is not read yet; a trace that has none yet may not be known.
      for (std::size_t row = 0; row + 1 < last; ++row) {
        REQUIRE(entries.action[row] == expected.action[row]);
        REQUIRE(entries.address[row] == expected.address[row]);
        REQUIRE(entries.size_bytes[row] == expected.size_bytes[row]);
      }
      for (std::size_t device = 0; device + 1 < (*first)->traces.size(); ++device)
        REQUIRE((*first)->traces[device].end == (*all)->traces[device].end);
    }
    CHECK(last == expected.size());
    CHECK(grown + 2 >= last);
  }
}

TEST_CASE("torch-memory: while a file is read, the curves of its first entries begin at nothing") {
  const TemporaryFolder folder;
  std::vector<Document> entries;
  for (std::uint64_t i = 0; i < 400; ++i)
    entries.push_back(entry("alloc", 512 * (i + 1), 512, static_cast<std::int64_t>(i)));
  folder.write("s.pickle", pickled({{"segments", kSegments}, {"device_traces", Document::array({entries})}}));
  const InputSet set{.format = &kFormat, .name = "s", .files = {{"", folder / "s.pickle"}}};
  Capture capture;
  REQUIRE(read_beginning(set, 8, capture));
  REQUIRE(capture.profile.tracks.size() == 1);
  const Track& track = capture.profile.tracks[0];
  CHECK(track.allocations.empty());
  REQUIRE(track.counters.size() == 4);
  CHECK(capture.strings.get(track.counters[0].name) == "allocated from zero");
  const auto values = track.counters[0].value.span();
  CHECK(values.front() == 0);
  CHECK(values.size() > 20);
  CHECK(values.size() < 60);
  CHECK(values.back() == 512.0 * static_cast<double>(values.size() - 1));
  Capture none;
  CHECK_FALSE(read_beginning(set, 500, none));        // not one entry
  CHECK_FALSE(read_beginning(set, 1'000'000, none));  // not one byte
}

TEST_CASE("torch-memory: values by address are found, replaced and taken out as in a map") {
  AddressMap<int> addresses;
  std::map<std::uint64_t, int> expected;
  std::mt19937_64 random(7);
  for (int i = 0; i < 20'000; ++i) {
    const std::uint64_t address = random() % 3000;
    if (random() % 5 < (i < 12'000 ? 3u : 1u)) {
      addresses.put(address, i);
      expected[address] = i;
    } else {
      addresses.erase(address);
      expected.erase(address);
    }
    const std::uint64_t asked = random() % 3000;
    const auto after = expected.upper_bound(asked), at_or_after = expected.lower_bound(asked);
    const auto* const next = addresses.after(asked);
    const auto* const here = addresses.at_or_after(asked);
    const auto* const before = addresses.at_or_before(asked);
    REQUIRE((next == nullptr) == (after == expected.end()));
    REQUIRE((here == nullptr) == (at_or_after == expected.end()));
    REQUIRE((before == nullptr) == (after == expected.begin()));
    if (next != nullptr) REQUIRE(next->address == after->first);
    if (here != nullptr) REQUIRE(here->value == at_or_after->second);
    if (before != nullptr) REQUIRE(before->address == std::prev(after)->first);
    REQUIRE(addresses.size() == expected.size());
  }
}

TEST_CASE("torch-memory: a device's memory is a track with its allocations and counters; steps and lacks are marked") {
  const std::string path = test_data("../golden/torch_memory/train/input/train.pickle");
  CHECK(outcome_of(std::vector<std::string>{path}).outcome == Outcome::kWhole);
  const auto bytes = MappedFile::open(path);
  REQUIRE(bytes);
  Capture capture;
  REQUIRE(read_capture({.name = path, .bytes = bytes->bytes()}, capture));
  CHECK(capture.format == "torch-memory");
  CHECK(capture.notes.empty());
  const Profile& profile = capture.profile;
  REQUIRE(profile.tracks.size() == 2);
  const Track& memory = profile.tracks[0];
  CHECK(capture.strings.get(memory.name) == "cuda:0 memory");
  CHECK(memory.kind == TrackKind::kMemory);
  CHECK(memory.allocations.size() == 14);
  CHECK(capture.strings.get(memory.allocations[0].category) == "__init__ model.py:5");
  CHECK(memory.allocations[1].freed);
  REQUIRE(memory.counters.size() == 4);
  CHECK(capture.strings.get(memory.counters[0].name) == kAllocatedCounter);
  CHECK(std::ranges::max(memory.counters[0].value.span()) == 20'974'592);
  CHECK(profile.runs.size() == 4);
  CHECK(profile.runs[3].number == 3);
  CHECK(profile.markers.size() == 1);
  CHECK(profile.start_ns == 0);
  CHECK(profile.end_ns == 99'000);
  CHECK(profile.clock.unix_offset_ns == 1'750'000'000'000'003'000);
}

TEST_CASE("torch-memory: files are known by how they begin, by either pickler") {
  for (const char* name : {"train", "cpp", "expandable", "old", "segments"}) {
    INFO(name);
    const auto file = MappedFile::open(test_data("../fuzz/corpus/torch_memory/" + std::string(name) + ".pickle"));
    REQUIRE(file);
    CHECK(find_format(file->bytes()) == &kFormat);
  }
  CHECK(find_format(as_bytes(pickled({{"a", 1}, {"b", "c"}}))) != &kFormat);
  CHECK(find_format(as_bytes(pickled(Document::array({1, "total_size"})))) != &kFormat);
}

TEST_CASE("torch-memory: lists that the file repeats beyond its own size are read as far as that goes",
          "[torch-memory]") {
  // A thousand devices with one trace, of two thousand references to one entry.
  PickleWriter out;
  out.dict().mark().text("segments").list().text("device_traces").list().mark().list().mark();
  out.dict().mark().text("action").text("alloc").text("addr").integer(4096).text("size").integer(512);
  out.text("stream").integer(0).set_items().memoize();
  for (int i = 1; i < 2000; ++i) out.get(0);
  out.appends().memoize();
  for (int i = 1; i < 1000; ++i) out.get(1);
  const auto snapshot = read(out.appends().set_items().finish());
  CHECK(snapshot->skipped.at("rests of lists that the file repeats beyond its own size") > 0);
  CHECK(left_out(*snapshot) < 2'000'000);
  CHECK(snapshot->entries.size() == 1);
}

}  // namespace
}  // namespace vizd::torch_memory_test
