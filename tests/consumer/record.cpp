// Records one match and one event with an argument, from C++.
#include <vizd/capture_writer.h>

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  vizd::capture::CaptureWriter writer(argv[1]);
  const auto leaf = writer.op({writer.kind("LEAF"), "int"}, {});
  const auto twice = writer.op({writer.kind("ADD"), "int"}, {leaf, leaf});
  const auto shifted = writer.op({writer.kind("SHL"), "int", "1"}, {leaf});
  const auto pass = writer.pass(writer.context("main"), "double", twice, writer.location(__FILE__, __LINE__));
  writer.match(pass, twice, shifted, writer.location(__FILE__, __LINE__, "x + x -> x << 1"));
  const auto memory = writer.argument("memory", "B", vizd::capture::ArgumentType::kInteger);
  writer.event(writer.track({"main", "thread"}), "compile", 0, 1000, {{memory, 4096}});
  writer.close();
  return writer.error().empty() ? 0 : 1;
}
