#include "cli/captures/demo/demo_captures.h"

#include <fmt/core.h>

#include "base/embedded.h"
#include "base/json_writer.h"
#include "cli/captures/demo/training_trace.h"

namespace vizd {
namespace {

struct Carried {
  std::string_view folder;  // of the embedded files
  std::string_view format, shows;
};

constexpr Carried kCarried[] = {
    {"tinygrad", "tinygrad's rewrites and profile",
     "Compiler: the graph at each match of a rule, the rules, source and machine code; Timeline: the kernels made"},
    {"compiler", "vizd's own format, from a small compiler",
     "Compiler: constants are folded and products become shifts, each with its rule; Timeline: two devices"},
    {"executorch", "ExecuTorch's ETDump with its ETRecord",
     "Model: the exported graph with each node's time, what a delegate took, what the program logged"},
    {"memory", "PyTorch's snapshot of device memory (made up)",
     "Memory: what was where, and when; `vizd memory` reports who held the peak, and why it ran out with 21 MB free"},
    {"tpu", "a profile folder of Sophgo's TPU", "Overview and Timeline: two cores and their engines"},
};

DemoCapture training() {
  DemoCapture capture{"PyTorch's profiler, two ranks (made up)",
                      "Overview: a step that waits for its data, a rank that makes the other wait; Kernels; Memory",
                      {}};
  std::size_t rank = 0;
  for (std::string& trace : training_traces())
    capture.files.push_back({fmt::format("training/rank{}.json", rank++), std::move(trace)});
  return capture;
}

// A profile in speedscope's JSON of a function that calls itself, by begins and ends.
class Recursion {
 public:
  std::string write() {
    json_.begin_object().key("$schema").text("https://www.speedscope.app/file-format-schema.json");
    json_.key("exporter").text("vizd demo: no machine ran this").key("shared").begin_object();
    json_.key("frames").begin_array();
    for (unsigned depth = 0; depth <= kDeepest; ++depth)
      json_.begin_object().key("name").text(fmt::format("fibonacci({})", kDeepest - depth)).end_object();
    json_.end_array().end_object().key("profiles").begin_array().begin_object().key("type").text("evented");
    json_.key("name").text("main").key("unit").text("microseconds").key("startValue").number(0);
    json_.key("events").begin_array();
    call(0);
    json_.end_array().key("endValue").number(at_us_).end_object().end_array().end_object();
    return std::move(text_);
  }

 private:
  static constexpr unsigned kDeepest = 9;

  void event(std::string_view type, unsigned depth) {
    json_.begin_object().key("type").text(type).key("frame").number(depth).key("at").number(at_us_).end_object();
  }
  void call(unsigned depth) {
    event("O", depth);
    at_us_ += 2;
    for (unsigned less = 1; less <= 2 && depth + less <= kDeepest; ++less) call(depth + less);
    at_us_ += 1;
    event("C", depth);
  }

  std::string text_;
  JsonWriter json_{text_};
  std::int64_t at_us_ = 0;
};

}  // namespace

std::vector<DemoCapture> demo_captures() {
  std::vector<DemoCapture> captures{training()};
  captures.push_back({"speedscope's JSON (made up)",
                      "Timeline: nested calls, and the self time of each",
                      {{"speedscope/fibonacci.json", Recursion().write()}}});
  const auto embedded = unpack(kEmbeddedDemo);
  for (const auto& [folder, format, shows] : kCarried) {
    DemoCapture capture{format, shows, {}};
    for (const auto& [name, bytes] : embedded) {
      if (name.starts_with(fmt::format("{}/", folder))) capture.files.push_back({name, bytes});
    }
    captures.push_back(std::move(capture));
  }
  return captures;
}

}  // namespace vizd
