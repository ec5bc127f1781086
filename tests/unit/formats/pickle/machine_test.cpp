#include "formats/pickle/machine.h"

#include <fmt/core.h>

#include <string>

#include "support/catch.h"
#include "support/pickle_writer.h"

namespace vizd::pickle::machine_test {
namespace {

using namespace std::string_literals;

std::string describe(const Tree& tree, Node node);

std::string describe_items(const Tree& tree, const Container& container) {
  std::string text;
  tree.for_each(container, [&](Node item) { text += (text.empty() ? "" : ", ") + describe(tree, item); });
  return text;
}

// A node as Python would print it; objects as class(arguments)state.
std::string describe(const Tree& tree, Node node) {
  switch (node.kind()) {
    case Kind::kNone:
      return "None";
    case Kind::kBool:
      return node.at != 0 ? "True" : "False";
    case Kind::kInt:
      return std::to_string(*tree.integer(node));
    case Kind::kLong:
      return tree.integer(node) ? std::to_string(*tree.integer(node)) : tree.long_digits(node);
    case Kind::kFloat:
      return fmt::format("{}", *tree.real(node));
    case Kind::kString:
      return '\'' + std::string(tree.text(node)) + '\'';
    case Kind::kBytes:
      return "b'" + std::string(tree.text(node)) + '\'';
    case Kind::kTuple: {
      std::string text = "(";
      for (const Node item : tree.tuple(node)) text += describe(tree, item) + ",";
      return text + ")";
    }
    case Kind::kList:
      return "[" + describe_items(tree, tree.container(node)) + "]";
    case Kind::kSet:
      return "{" + describe_items(tree, tree.container(node)) + "}";
    case Kind::kDict:
      return "dict(" + describe_items(tree, tree.container(node)) + ")";
    case Kind::kClass:
      return fmt::format("<{}.{}>", tree.class_name(node).module, tree.class_name(node).name);
    case Kind::kObject:
      break;
  }
  const Object& object = tree.object(node);
  std::string text = describe(tree, object.callable) + describe(tree, object.args);
  if (!object.kwargs.is(Kind::kNone)) text += " " + describe(tree, object.kwargs);
  if (object.built) text += " " + describe(tree, object.state);
  if (object.container != Container::kNoChunk)
    text += " [" + describe_items(tree, tree.containers[object.container]) + "]";
  return text;
}

// What the opcodes make: the description, or the error's text.
std::string read(const std::string& opcodes, const Limits& limits = {}) {
  const auto tree = read_pickle(as_bytes(opcodes), "f", limits);
  return tree ? describe(*tree, tree->root) : tree.error().text();
}

// As read(), after a PROTO and before a STOP.
std::string value_of(const std::string& opcodes, const Limits& limits = {}) {
  return read("\x80\x05" + opcodes + ".", limits);
}

TEST_CASE("pickle: values without parts", "[pickle]") {
  CHECK(value_of("N") == "None");
  CHECK(value_of("\x88") == "True");
  CHECK(value_of("\x89") == "False");
  CHECK(value_of("K\xff") == "255");
  CHECK(value_of("M\xff\xff") == "65535");
  CHECK(value_of("J\xff\xff\xff\xff") == "-1");
  CHECK(value_of("J\x00\x00\x00\x80"s) == "-2147483648");
  CHECK(value_of("G\x3f\xf8\0\0\0\0\0\0"s) == "1.5");
  CHECK(value_of("G\xff\xf0\0\0\0\0\0\0"s) == "-inf");
  CHECK(value_of("\x8c\x02h\xc3") == "f:2: a text is not UTF-8; the file is damaged");
  CHECK(value_of("\x8c\x03h\xc3\xa9") == "'h\xc3\xa9'");
  CHECK(value_of("\x8c\x03\xed\xb2\x80") ==
        "'\xed\xb2\x80'");  // half a surrogate pair, as Python's surrogatepass writes
  CHECK(value_of("X\x02\0\0\0hi"s) == "'hi'");
  CHECK(value_of("\x8d\x02\0\0\0\0\0\0\0hi"s) == "'hi'");
  CHECK(value_of("C\x02\xff\xfe") == "b'\xff\xfe'");
  CHECK(value_of("B\x02\0\0\0hi"s) == "b'hi'");
  CHECK(value_of("\x8e\x02\0\0\0\0\0\0\0hi"s) == "b'hi'");
  CHECK(value_of("\x96\x02\0\0\0\0\0\0\0hi"s) == "b'hi'");
}

TEST_CASE("pickle: integers of every length", "[pickle]") {
  CHECK(value_of("\x8a\0"s) == "0");
  CHECK(value_of("\x8a\x01\xff") == "-1");
  CHECK(value_of("\x8a\x02\xff\0"s) == "255");
  CHECK(value_of("\x8a\x05\0\0\0\x80\0"s) == "2147483648");
  CHECK(value_of("\x8a\x08\xff\xff\xff\xff\xff\xff\xff\x7f") == "9223372036854775807");
  CHECK(value_of("\x8a\x08\0\0\0\0\0\0\0\x80"s) == "-9223372036854775808");
  CHECK(value_of("\x8a\x09\0\0\0\0\0\0\0\x80\0"s) == "9223372036854775808");
  CHECK(value_of("\x8a\x09\xff\xff\xff\xff\xff\xff\xff\x7f\xff") == "-9223372036854775809");
  CHECK(value_of("\x8a\x0a\0\0\0\0\0\0\0\0\0\x01"s) == "4722366482869645213696");
  CHECK(value_of("\x8a\x0d\0\x10\xa5\xd4\xe8\0\0\0\0\0\0\0\0"s) == "1000000000000");  // with zeros to spare
  CHECK(value_of("\x8b\x01\0\0\0\x2a"s) == "42");
  CHECK(value_of("\x8b\xff\xff\xff\xff") == "f:2: an integer of negative length; the file is damaged");
}

TEST_CASE("pickle: tuples, lists, sets and dicts", "[pickle]") {
  CHECK(value_of(")") == "()");
  CHECK(value_of("K\x01\x85") == "(1,)");
  CHECK(value_of("K\x01K\x02\x86") == "(1,2,)");
  CHECK(value_of("K\x01K\x02K\x03\x87") == "(1,2,3,)");
  CHECK(value_of("(K\x01K\x02K\x03K\x04t") == "(1,2,3,4,)");
  CHECK(value_of("(t") == "()");
  CHECK(value_of("]") == "[]");
  CHECK(value_of("]K\x01"
                 "aK\x02"
                 "a") == "[1, 2]");
  CHECK(value_of("](K\x01K\x02"
                 "e(K\x03"
                 "e(e") == "[1, 2, 3]");
  CHECK(value_of("](K\x01](K\x02"
                 "eK\x03"
                 "e(K\x04"
                 "e") == "[1, [2], 3, 4]");
  CHECK(value_of("}K\x01Ns") == "dict(1, None)");
  CHECK(value_of("}(K\x01NK\x02Nu(K\x03\x88u") == "dict(1, None, 2, None, 3, True)");
  CHECK(value_of("\x8f(K\x01K\x02\x90") == "{1, 2}");
  CHECK(value_of("(K\x01K\x02\x91") == "{1, 2}");
}

TEST_CASE("pickle: the memo and the stack", "[pickle]") {
  CHECK(value_of("](K\x07\x94h\x00"
                 "e"s) == "[7, 7]");
  CHECK(value_of("](K\x07q\x05h\x05"
                 "e") == "[7, 7]");
  CHECK(value_of("](K\x07r\x05\0\0\0j\x05\0\0\0e"s) == "[7, 7]");
  CHECK(value_of("](K\x01\x32"
                 "e") == "[1, 1]");
  CHECK(value_of("K\x01K\x02"
                 "0") == "1");
  CHECK(value_of("K\x01(K\x02K\x03"
                 "1") == "1");
  CHECK(value_of("K\x01(0") == "1");  // POP takes a mark off, too
  CHECK(value_of("]\x94K\x01"
                 "a0h\x00"s) == "[1]");  // what is shared sees what is added later
  CHECK(value_of("\x95\x02\0\0\0\0\0\0\0K\x01"s) == "1");
  CHECK(value_of("K\x01.garbage") == "1");  // what follows STOP is not read
}

TEST_CASE("pickle: objects are remembered, not made", "[pickle]") {
  CHECK(value_of("cos\nsystem\n") == "<os.system>");
  CHECK(value_of("\x8c\x02os\x8c\x06system\x93") == "<os.system>");
  CHECK(value_of("cos\nsystem\n\x8c\x04true\x85R") == "<os.system>('true',)");
  CHECK(value_of("cm\nC\n)\x81}\x8c\x01xK\x01sb") == "<m.C>() dict('x', 1)");
  CHECK(value_of("cm\nC\n)}\x8c\x01xK\x01s\x92") == "<m.C>() dict('x', 1)");
  CHECK(value_of("cm\nC\n)\x81N}\x8c\x01xK\x01s\x86"
                 "b") == "<m.C>() (None,dict('x', 1),)");
  CHECK(value_of("cm\nList\n)\x81K\x01"
                 "a(K\x02"
                 "e") == "<m.List>() [1, 2]");
  CHECK(value_of("cm\nDict\n)R(K\x01K\x02u") == "<m.Dict>() [1, 2]");
  CHECK(value_of("cm\nf\n)R)R") == "<m.f>()()");
}

TEST_CASE("pickle: attributes of objects", "[pickle]") {
  const auto tree = read_pickle(as_bytes("\x80\x04"
                                         "cm\nC\n)\x81}(\x8c\x01xK\x01\x8c\x01yK\x02\x8c\x01xK\x03ub."),
                                "f");
  REQUIRE(tree.has_value());
  const Object& object = tree->object(tree->root);
  CHECK(tree->integer(*tree->attribute(object, "y")) == 2);
  CHECK(tree->integer(*tree->attribute(object, "x")) == 3);  // the later one, as a Python dict has it
  CHECK_FALSE(tree->attribute(object, "z").has_value());
  CHECK(tree->is_object_of(tree->root, "m", "C"));
  CHECK_FALSE(tree->is_object_of(tree->root, "m", "D"));
}

TEST_CASE("pickle: what is wrong is said, with its place", "[pickle]") {
  const std::string cut = "the pickle ends here, in the middle; was the file cut, or is it still being written?";
  CHECK(read("") == "f:0: " + cut);
  CHECK(read("\x80") == "f:0: " + cut);
  CHECK(read("\x80\x04") == "f:2: " + cut);
  for (const std::string& opcodes :
       {"J\0\0\0"s, "M\0"s, "K"s, "G1234567"s, "j\0\0\0"s, "h"s, "X\x02\0\0\0h"s, "\x8c\x02h"s, "\x8d\x02\0\0\0\0\0\0"s,
        "\x8a\x02h"s, "\x8b\0\0"s, "cos\nsystem"s, "\x95\0\0\0"s, "r\0"s}) {
    CHECK(read("\x80\x04" + opcodes) == "f:2: " + cut);
  }
  const auto says = [](const std::string& opcodes, const std::string& what) {
    const std::string text = value_of(opcodes);
    INFO(text);
    CHECK(text.find(what) != std::string::npos);
  };
  CHECK(value_of("NK\x01") == "f:5: the pickle ends with more or less than one value; the file is damaged");
  CHECK(value_of("") == "f:2: the pickle ends with more or less than one value; the file is damaged");
  CHECK(value_of("N(") == "f:4: the pickle ends with more or less than one value; the file is damaged");
  for (const char* opcodes :
       {"0",     "\x85", "N\x86", "NN\x87", "a",     "Na",   "s",     "NNs",    "R",   "NR", "\x81", "\x92",
        "N\x93", "b",    "Nb",    "\x94",   "q\x01", "\x32", "(\x85", "N(\x85", "N(a", "(e", "(Nu",  "(\x90"}) {
    says(opcodes, "an opcode finds too little on the stack");
  }
  for (const char* opcodes : {"t", "e", "u", "1", "\x90", "\x91"}) says(opcodes, "an opcode finds no mark");
  says("h\x01", "takes what the memo does not hold");
  says("j\xff\xff\xff\xff", "takes what the memo does not hold");
  says("Nq\x02h\x01", "takes what the memo does not hold");
  says("Nr\xff\xff\xff\x7f", "entries in the memo");
  says("}(Nu", "a dict's key has no value");
  says("N(Ne", "adds items to None");
  says(
      "K\x01K\x01"
      "a",
      "adds items to an int");
  says("NN\x93", "a class is named by None and None");
  says("cm\nC\nNR", "with None for its arguments");
  says("N)R", "calls None");
  says("cm\nC\n)N\x92", "keyword arguments are no dict");
  says("]Nb", "sets the state of a list");
  says("cm\nC\n)\x81NbNb", "twice");
  says("c\xff\nC\n", "a class's name is not UTF-8");
  says("\x95\xff\0\0\0\0\0\0\0N"s, "a frame of 255 bytes, but only 2 are left");
  says("\x80\x06", "pickle protocol 6");
  says("\x80\x01", "pickle protocol 1");
  for (const char* opcodes : {"Pid\n", "NQ"}) says(opcodes, "persistent id");
  for (const std::string& opcodes : {"\x82\x01"s, "\x83\x01\0"s, "\x84\x01\0\0\0"s}) says(opcodes, "extension code");
  for (const char* opcodes : {"\x97", "\x98"}) says(opcodes, "a buffer outside of the file");
  for (const char opcode : "ILFSTUVdliogp"s) says(std::string(1, opcode), "of pickle protocol 0 or 1, or of Python 2");
  for (const char opcode : "\0\x01zZ\xff\x99"s) says(std::string(1, opcode), "no pickle opcode is 0x");
}

TEST_CASE("pickle: each limit is kept", "[pickle]") {
  const auto limited = [](const std::string& opcodes, auto set) {
    Limits limits;
    set(limits);
    return value_of(opcodes, limits);
  };
  CHECK(limited("NNNN\x87\x86", [](Limits& l) { l.max_stack = 3; }).find("more than 3 values on the stack") !=
        std::string::npos);
  CHECK(limited("N\x94\x94\x94", [](Limits& l) { l.max_memo = 2; }).find("more than 2 entries in the memo") !=
        std::string::npos);
  CHECK(limited("((((", [](Limits& l) { l.max_open_marks = 3; }).find("more than 3 marks open") != std::string::npos);
  CHECK(limited("NNN\x87N\x86", [](Limits& l) { l.max_items = 4; }).find("more than 4 values") != std::string::npos);
  CHECK(limited("]]", [](Limits& l) { l.max_objects = 1; }).find("more than 1 lists and dicts") != std::string::npos);
  CHECK(limited("cm\nC\n)R)R", [](Limits& l) { l.max_objects = 1; }).find("more than 1 objects") != std::string::npos);
  CHECK(limited("cm\nC\ncm\nC\n", [](Limits& l) { l.max_objects = 1; }).find("more than 1 classes") !=
        std::string::npos);
  CHECK(limited("\x8c\x03"
                "abc",
                [](Limits& l) { l.max_text_bytes = 2; })
            .find("more than 2 bytes in one text") != std::string::npos);
  CHECK(limited("C\x03"
                "abc",
                [](Limits& l) { l.max_block_bytes = 2; })
            .find("more than 2 bytes in one block") != std::string::npos);
  CHECK(limited("\x8a\x03"
                "abc",
                [](Limits& l) { l.max_integer_bytes = 2; })
            .find("more than 2 bytes in one integer") != std::string::npos);
  CHECK(limited("N", [](Limits& l) { l.max_input_bytes = 3; }).find("4 bytes; vizd reads pickles of up to 3") !=
        std::string::npos);
  // Lengths that no file has are refused before memory is taken for them.
  CHECK(value_of("\x8d\xff\xff\xff\xff\xff\xff\xff\xff").find("bytes in one text") != std::string::npos);
  CHECK(value_of("\x8e\xff\xff\xff\xff\xff\xff\xff\x7f").find("bytes in one block") != std::string::npos);
  CHECK(value_of("X\xff\xff\xff\x07").find("was the file cut") != std::string::npos);
}

TEST_CASE("pickle: a block of bytes may be longer than a node can count", "[pickle]") {
  const auto length = [](std::uint64_t value, std::size_t size_bytes) {
    return std::string(reinterpret_cast<const char*>(&value), size_bytes);
  };
  for (const std::size_t size :
       {std::size_t{Node::kMaxCount} - 1, std::size_t{Node::kMaxCount}, std::size_t{1} << 27}) {
    for (const std::string& opcode : {"B" + length(size, 4), "\x8e" + length(size, 8)}) {
      std::string pickle = "\x80\x04(" + opcode;
      pickle.resize(pickle.size() + size, 'x');
      pickle.back() = 'y';
      pickle += "K\x07t.";
      const auto tree = read_pickle(as_bytes(pickle), "f");
      REQUIRE(tree.has_value());
      const auto items = tree->tuple(tree->root);
      REQUIRE(items.size() == 2);
      CHECK(tree->text(items[0]).size() == size);
      CHECK(tree->text(items[0]).back() == 'y');
      CHECK(tree->integer(items[1]) == 7);
    }
  }
}

TEST_CASE("pickle: a bomb costs no more than its bytes", "[pickle]") {
  // A tuple of twice itself, a thousand times over: 2^1000 values if it were unfolded.
  std::string bomb = "N";
  for (int i = 0; i < 1000; ++i) bomb += "2\x86";
  const auto shared = read_pickle(as_bytes("\x80\x04" + bomb + "."), "f");
  REQUIRE(shared.has_value());
  CHECK(shared->items.size() == 2000);
  // Tuples nested a million deep.
  const auto deep = read_pickle(as_bytes("\x80\x04N" + std::string(1'000'000, '\x85') + "."), "f");
  REQUIRE(deep.has_value());
  CHECK(deep->items.size() == 1'000'000);
  // Lists and marks likewise: a million open at once.
  std::string nested;
  for (int i = 0; i < 1'000'000; ++i) nested += "](";
  const auto open = read_pickle(as_bytes("\x80\x04" + nested + std::string(1'000'000, 'e') + "."), "f");
  REQUIRE(open.has_value());
  CHECK(open->containers.size() == 1'000'000);
  // A list that contains itself.
  const auto cycle = read_pickle(as_bytes("\x80\x04]\x94h\x00"
                                          "a."s),
                                 "f");
  REQUIRE(cycle.has_value());
  CHECK(cycle->container(cycle->root).size == 1);
}

TEST_CASE("pickle: known by its first bytes", "[pickle]") {
  CHECK(looks_like_pickle(as_bytes("\x80\x02N.")));
  CHECK(looks_like_pickle(as_bytes("\x80\x05N.")));
  CHECK_FALSE(looks_like_pickle(as_bytes("\x80\x06N.")));
  CHECK_FALSE(looks_like_pickle(as_bytes("\x80")));
  CHECK_FALSE(looks_like_pickle(as_bytes("{\"traceEvents\"")));
}

}  // namespace
}  // namespace vizd::pickle::machine_test
