#include "formats/etdump/etrecord.h"

#include <filesystem>
#include <string>

#include "formats/etdump/node_names.h"
#include "support/catch.h"
#include "support/made_program.h"
#include "support/pickle_writer.h"
#include "support/temporary_folder.h"
#include "support/zip_writer.h"

namespace vizd::etdump::etrecord_test {
namespace {

using namespace std::string_literals;

EtRecord read(const std::string& bytes) {
  auto record = read_etrecord(as_bytes(bytes), "etrecord.bin");
  REQUIRE(record);
  return std::move(*record);
}

ExportedProgram program_of(const MadeProgram& made) {
  auto program = read_exported_program(as_bytes(made.finish()), "program");
  REQUIRE(program);
  return std::move(*program);
}

MadeProgram small_edge() {
  MadeProgram made;
  made.input("x").edge("aten.sin.default", {"x"}, "aten_sin_default", "4");
  made.edge("aten.relu.default", {"aten_sin_default"}, "aten_relu_default", "5").output("aten_relu_default");
  return made;
}

std::vector<std::string> names_of(const ExportedProgram& program) {
  std::vector<std::string> names;
  for (const ProgramNode& node : program.nodes) names.push_back(node.name);
  return names;
}

TEST_CASE("an op is called as its target calls itself") {
  CHECK(op_name("executorch.exir.dialects.edge.ops.aten.sum.dim_IntList") == "aten.sum.dim_IntList");
  CHECK(op_name("torch.ops.aten.conv2d.default") == "conv2d.default");
  CHECK(op_name("torch.ops.higher_order.map_impl") == "map_impl");
  CHECK(op_name("_operator.add") == "add");
  CHECK(op_name("add") == "add");
  CHECK(op_name("") == "");
}

TEST_CASE("nodes are named as torch.fx names those that it reads back") {
  CHECK(name_of_op("aten._native_batch_norm_legit_no_training.default") ==
        "aten__native_batch_norm_legit_no_training_default");
  CHECK(name_of_op("aten.split.Tensor") == "aten_split_tensor");
  CHECK(name_of_op("fooBar") == "foo_bar");
  NodeNames names;
  CHECK(names.take("relu") == "relu");
  CHECK(names.take("relu") == "relu_1");
  CHECK(names.take("relu_1") == "relu_2");
  CHECK(names.take("relu_1") == "relu_3");
  CHECK(names.take("relu") == "relu_4");
  CHECK(names.take("3d") == "_3d");
  for (int i = 0; i < 3; ++i) CHECK_FALSE(names.take("huge_9223372036854775807").empty());

  MadeProgram made;
  made.input("x");
  for (int i = 0; i < 2; ++i) {
    const std::string n = std::to_string(i);
    made.node("executorch.exir.dialects.edge.ops.aten.topk.default", {"x"}, {"getitem_" + n, "unused_" + n}, "7");
  }
  CHECK(names_of(program_of(made)) == std::vector<std::string>{"aten_topk_default", "aten_topk_default_1"});
}

TEST_CASE("very many nodes that ask for one name are named in a moment") {
  NodeNames names;
  std::string last;
  for (int i = 0; i < 20'000; ++i) last = names.take("x_1");
  CHECK(last == "x_20000");
}

TEST_CASE("a node tells of its modules, its stack and its arguments, Python's odd numbers among them") {
  const std::string json =
      R"({"graph_module":{"graph":{"inputs":[],"outputs":[],"nodes":[{"target":"torch.ops.aten.full.default","inputs":[)"
      R"({"name":"size","arg":{"as_ints":[2,3]}},{"name":"fill","arg":{"as_float":-Infinity}},{"name":"n","arg":{"as_float":NaN}},)"
      R"({"name":"dtype","arg":{"as_scalar_type":7}}],"outputs":[{"as_tensor":{"name":"full"}}],"metadata":{)"
      R"("nn_module_stack":"L,,m.Net;L_a,a,m.Block;L,x,m.Other","stack_trace":"  File \"m.py\", line 3, in forward\n    x\n"}}],)"
      R"("tensor_values":{"full":{"dtype":13,"sizes":[{"as_int":2},{"as_expr":{"expr_str":"s0"}}]}}}}})";
  const auto program = read_exported_program(as_bytes(json), "program");
  REQUIRE(program);
  const ProgramNode& node = program->nodes.at(0);
  CHECK(node.inputs.at(0).text == "[2, 3]");
  CHECK(node.inputs.at(1).text == "-inf");
  CHECK(node.inputs.at(3).text == "float32");
  CHECK_FALSE(node.debug_handle);
  REQUIRE(node.modules);
  CHECK(*node.modules == std::vector<ModuleLevel>{{"L", "x", "m.Other"}, {"L_a", "a", "m.Block"}});
  CHECK(program->values.at(0).type == ScalarType::kBFloat16);
  CHECK(program->values.at(0).shape == std::vector<std::string>{"2", "s0"});
}

TEST_CASE("what is no exported program is an error") {
  for (const char* json : {"", "{", "[]", "{}", R"({"graph_module":3})", R"({"graph_module":{"graph":{"nodes":7}}})"}) {
    CHECK_FALSE(read_exported_program(as_bytes(json), "program"));
  }
  CHECK_FALSE(read_exported_program(as_bytes(std::string(100000, '[')), "program"));
  // Nodes that say nothing, or name what nobody makes.
  const auto odd = read_exported_program(
      as_bytes(
          R"({"graph_module":{"graph":{"nodes":[{},{"target":5},{"inputs":[{"arg":{"as_tensor":{"name":"who"}}}]}]}}})"s),
      "program");
  REQUIRE(odd);
  CHECK(odd->nodes.size() == 3);
  CHECK(odd->values.at(0).kind == ValueKind::kInput);
}

TEST_CASE("an ETRecord of each layout gives its methods with their maps") {
  const std::string maps_of_two = R"({"forward":{"0":4,"1":[4,5,5],"x":1,"2":null},"decode":{"3":9}})";
  const std::string delegates =
      R"({"forward":{"1":{"name":"XnnpackBackend","delegate_map":{"7":[4],"Conv #1":[5]}}},"decode":{}})";
  const std::string old_layout = ZipWriter()
                                     .add("ETRECORD_V0", "")
                                     .add("edge_dialect_exported_program", small_edge().finish())
                                     .add("edge_dialect_exported_program_state_dict", "not read")
                                     .add("debug_handle_map", maps_of_two)
                                     .add("delegate_map", delegates)
                                     .finish();
  const EtRecord record = read(old_layout);
  CHECK_FALSE(record.has_exported_program);
  REQUIRE(record.methods.size() == 2);
  const Method& forward = record.methods[0];
  CHECK(forward.name == "forward");
  CHECK(forward.debug_handles.at(1) == std::vector<std::int64_t>{4, 5, 5});
  CHECK_FALSE(forward.debug_handles.contains(2));
  CHECK(forward.delegates.at(1).backend == "XnnpackBackend");
  CHECK(forward.delegates.at(1).handles_by_id.at(1).first == "Conv #1");
  REQUIRE(forward.edge);
  CHECK(names_of(*forward.edge) == std::vector<std::string>{"aten_sin_default", "aten_relu_default"});
  CHECK(record.method("decode")->debug_handles.at(3) == std::vector<std::int64_t>{9});
  CHECK_FALSE(record.method("decode")->edge);
  CHECK(record.left_out.empty());

  const std::string by_method = ZipWriter()
                                    .add("ETRECORD_V0", "")
                                    .add("exported_program", small_edge().finish())
                                    .add_deflated("edge_dialect_exported_program/forward", small_edge().finish())
                                    .add("edge_dialect_exported_program/decode", small_edge().finish())
                                    .add("after_transform/decode", small_edge().finish())
                                    .add("instruction_id_to_num_outs_map", R"({"forward":{"0":2,"1":[3]}})")
                                    .add("export_graph_id", "140032329677392")
                                    .finish();
  const EtRecord later = read(by_method);
  CHECK(later.has_exported_program);
  CHECK(later.export_graph_id == 140032329677392);
  CHECK(later.method("forward")->output_counts.at(1) == 3);
  CHECK(later.method("decode")->edge);
  CHECK(later.method("decode")->other.contains("after_transform"));
}

TEST_CASE("an ETRecord with a broken member is read without it, and says so") {
  const EtRecord record = read(ZipWriter()
                                   .add("ETRECORD_V0", "")
                                   .add("edge_dialect_exported_program", "{ broken")
                                   .add("debug_handle_map", R"({"forward":{"0":4}})")
                                   .add("delegate_map", "[1")
                                   .add("reference_outputs", "neither")
                                   .finish());
  CHECK(record.left_out.size() == 3);
  CHECK(record.method("forward")->debug_handles.size() == 1);
  CHECK_FALSE(read_etrecord(as_bytes(ZipWriter().add("a", "x").finish()), "a.zip"));
  CHECK_FALSE(read_etrecord(as_bytes("PK\x03\x04 and no more"s), "a.zip"));
}

// A pickle that Python would run a program for.
std::string pickle_that_runs(const std::string& command) {
  PickleWriter pickle;
  pickle.dict().mark().text("forward").list().mark().list().mark();
  pickle.global("os", "system").mark().text(command).reduce();
  return pickle.appends().appends().set_items().finish();
}

TEST_CASE("nothing that an ETRecord's pickles ask for is run") {
  const TemporaryFolder folder;
  const std::string evil = pickle_that_runs("touch " + folder / "ran");
  const std::string inputs =
      PickleWriter().global("builtins", "exec").mark().text("raise SystemExit").reduce().finish();
  const EtRecord record = read(ZipWriter()
                                   .add("ETRECORD_V0", "")
                                   .add("debug_handle_map", R"({"forward":{}})")
                                   .add("reference_outputs", evil)
                                   .add("representative_inputs", inputs)
                                   .finish());
  CHECK_FALSE(std::filesystem::exists(folder / "ran"));
  REQUIRE(record.methods.at(0).reference_outputs.size() == 1);
  const Value& value = record.methods[0].reference_outputs[0].at(0);
  CHECK(std::holds_alternative<std::monostate>(value.data));
  CHECK(record.representative_inputs.empty());
}

// What torch.save writes: a storage of three floats beside a pickle that views two of them from the second on, apart.
std::string torch_save(std::int32_t offset, std::int32_t size, std::int32_t stride) {
  PickleWriter pickle(2);
  pickle.list().mark().global("torch._utils", "_rebuild_tensor_v2").mark();
  pickle.mark().text("storage").global("torch", "FloatStorage").text("0").text("cpu").integer(3).tuple().raw("Q");
  pickle.integer(offset).mark().integer(size).tuple().mark().integer(stride).tuple().boolean(false).none();
  pickle.reduce().appends();
  const float numbers[] = {1.5F, 2.5F, 3.5F};
  const std::string bytes(reinterpret_cast<const char*>(numbers), sizeof numbers);
  return ZipWriter().add("archive/data.pkl", pickle.finish()).add("archive/data/0", bytes).finish();
}

std::vector<Value> inputs_of(const std::string& saved) {
  const std::string bytes = ZipWriter()
                                .add("ETRECORD_V0", "")
                                .add("debug_handle_map", R"({"forward":{}})")
                                .add("representative_inputs", saved)
                                .finish();
  const EtRecord record = read(bytes);
  std::vector<Value> out;
  for (const Value& value : record.representative_inputs) {
    const Tensor* tensor = value.tensor();
    if (tensor == nullptr) continue;
    auto storage = std::make_shared<const std::vector<std::byte>>(tensor->bytes.begin(), tensor->bytes.end());
    out.push_back({Tensor{tensor->type, tensor->shape, *storage, false, storage}});
  }
  return out;
}

TEST_CASE("tensors of a torch.save are read without torch, whatever their strides") {
  const auto dense = inputs_of(torch_save(1, 2, 1));
  REQUIRE(dense.size() == 1);
  CHECK(elements(*dense[0].tensor()) == std::vector<double>{2.5, 3.5});
  const auto strided = inputs_of(torch_save(0, 2, 2));
  REQUIRE(strided.size() == 1);
  CHECK(elements(*strided[0].tensor()) == std::vector<double>{1.5, 3.5});
}

TEST_CASE("tensors that reach beyond their storage are none") {
  CHECK(inputs_of(torch_save(2, 2, 1)).empty());
  CHECK(inputs_of(torch_save(0, 2, 3)).empty());
  CHECK(inputs_of(torch_save(-1, 1, 1)).empty());
  CHECK(inputs_of(torch_save(0, -1, 1)).empty());
  CHECK(inputs_of(torch_save(0, 2147483647, 2147483647)).empty());
  CHECK(inputs_of(torch_save(0, 2, -1)).empty());
}

TEST_CASE("an ATen node has the handle of the edge node that was made from it") {
  const auto from = [](const std::string& name, int graph) {
    return fmt::format(R"("from_node":"[{{\"name\": \"{}\", \"graph_id\": {}, \"from_node\": []}}]")", name, graph);
  };
  MadeProgram edge, aten;
  edge.node("executorch.exir.dialects.edge.ops.aten.addmm.default", {}, {"aten_addmm_default"}, "11",
            from("linear", 7));
  aten.node("torch.ops.aten.linear.default", {}, {"linear"}, "")
      .node("torch.ops.aten.dropout.default", {}, {"dropout"}, "");
  ExportedProgram program = program_of(aten);
  propagate_handles(program_of(edge), 7, program);
  CHECK(program.nodes[0].debug_handle == 11);
  CHECK_FALSE(program.nodes[1].debug_handle);
}

TEST_CASE("an ETRecord that is cut or has a byte turned reads, or is an error") {
  const std::string whole = ZipWriter()
                                .add("ETRECORD_V0", "")
                                .add("edge_dialect_exported_program", small_edge().finish())
                                .add("representative_inputs", torch_save(0, 2, 2))
                                .finish();
  for (std::size_t i = 0; i < whole.size(); i += 7) {
    CHECK_FALSE(read_etrecord(as_bytes(std::string_view(whole).substr(0, i)), "cut"));
    std::string turned = whole;
    turned[i] = static_cast<char>(turned[i] ^ 0x55);
    static_cast<void>(read_etrecord(as_bytes(turned), "turned").has_value());
  }
}

TEST_CASE("a node whose target is missing, or no text, has no op, and nothing else is lost", "[etdump]") {
  for (const char* target : {"", R"("target":7,)", R"("target":null,)"}) {
    std::string text = small_edge().finish();
    const std::string known = R"("target":"executorch.exir.dialects.edge.ops.aten.relu.default",)";
    text.replace(text.find(known), known.size(), target);
    const auto program = read_exported_program(as_bytes(text), "program");
    REQUIRE(program);
    CHECK(names_of(*program) == std::vector<std::string>{"aten_sin_default", "aten_relu_default"});
  }
}

}  // namespace
}  // namespace vizd::etdump::etrecord_test
