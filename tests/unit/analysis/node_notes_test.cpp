// PyTorch's annotations of graphs' nodes, in all their spellings, as JSON and as pickles.
#include "analysis/graph_replay/node_notes.h"

#include "derived/pickled_notes.h"
#include "support/catch.h"
#include "support/pickle_writer.h"

namespace vizd::node_notes_test {
namespace {

std::string text(const NodeNote& note) { return note.name.value_or("-") + " " + note.module.value_or("-"); }

std::string read(std::string_view entries) {
  const auto note = read_json_note(entries);
  return note ? text(*note) : "no JSON";
}

}  // namespace

TEST_CASE("Of a node's entries the later ones override") {
  CHECK(read(R"([{"name": "a"}, {"name": "b", "stream": 7}])") == "b -");
  CHECK(read(R"([{"name": "a", "module_fqn": "m"}, {"str": "b"}])") == "b m");
  CHECK(read(R"(["bare"])") == "bare -");
  CHECK(read(R"({"module_fqn": "m", "group": [0, {"name": "deep"}]})") == "- m");
  CHECK(read(R"("bare")") == "bare -");
  CHECK(read("[]") == "- -");
  CHECK(read("model.layers") == "no JSON");
}

TEST_CASE("A file has notes by node, and what stands before damage is kept") {
  NodeNotes notes;
  CHECK(read_json_notes(R"({"4294967297": [{"name": "a"}], "x": ["b"], "5": {"module_fqn": "c"}})", notes));
  CHECK(notes.size() == 2);
  CHECK(text(*notes.at(4294967297)) == "a -");
  CHECK(text(*notes.at(5)) == "- c");
  notes.clear();
  CHECK_FALSE(read_json_notes(R"({"1": ["a"], "2": [)", notes));
  CHECK(text(*notes.at(1)) == "a -");
  CHECK_FALSE(read_json_notes("[1, 2]", notes));
}

TEST_CASE("Keys that are no node, or are there twice, are counted") {
  NodeNotes notes;
  std::size_t odd_keys = 0;
  CHECK(read_json_notes(R"({"1": ["a"], "2x": ["b"], "1": ["c"], "-3": ["d"], "3": {"x": "y"}})", notes, &odd_keys));
  CHECK(odd_keys == 3);
  CHECK(text(*notes.at(1)) == "c -");
  PickleWriter pickle;
  pickle.dict().mark();
  pickle.integer(7).list().mark().text("a").appends();
  pickle.text("8").list().mark().text("b").appends();
  std::string bytes = pickle.set_items().finish();
  odd_keys = 0;
  CHECK(read_pickled_notes(as_bytes(bytes), "notes.pkl", notes, &odd_keys));
  CHECK(odd_keys == 1);
  bytes += bytes;  // a second one behind it
  CHECK_FALSE(read_pickled_notes(as_bytes(bytes), "notes.pkl", notes));
}

TEST_CASE("A pickle of annotations is read as the same, and what would be run is not") {
  PickleWriter pickle;
  pickle.dict().mark();
  pickle.integer(7).list().mark().dict().mark().text("name").text("a").set_items().appends();
  pickle.integer(8).list().mark().text("b").appends();
  pickle.integer(9).list().mark().global("os", "system").mark().text("false").reduce().appends();
  const std::string bytes = pickle.set_items().finish();
  NodeNotes notes;
  REQUIRE(read_pickled_notes(as_bytes(bytes), "notes.pkl", notes));
  CHECK(text(*notes.at(7)) == "a -");
  CHECK(text(*notes.at(8)) == "b -");
  CHECK(notes.at(9)->is_empty());
  CHECK_FALSE(read_pickled_notes(as_bytes(std::string("\x80\x04]", 3)), "cut.pkl", notes));
}

TEST_CASE("A module's layer goes up to its first number") {
  CHECK(layer_of_module("L.model.layers.3.mlp.experts.0")->name == "L.model.layers.3");
  CHECK(layer_of_module("L.model.layers.3.mlp")->index == 3);
  CHECK_FALSE(layer_of_module("L.model.norm2.x"));
  CHECK_FALSE(layer_of_module(""));
}

}  // namespace vizd::node_notes_test
