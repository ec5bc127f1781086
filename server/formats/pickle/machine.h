// The pickle machine: reads Python pickles of protocol 2 to 5 into a PickleTree without running anything of them: where
// Python would import a class and call it, the tree has an object node with the class's name and the arguments.
//
// Read are all opcodes that CPython's picklers write under these protocols (Lib/pickletools.py lists them). Refused,
// each with a message of its own, are those that need the writing program (extension codes, out-of-band buffers, and
// persistent ids where they are not asked for) and the text opcodes of protocols 0 and 1.
//
// It can feed a Sink (sink.h) in place of making a tree; classes and objects are refused then.
//
// Time and memory are linear in the input, whatever it holds: a shared node is shared, never copied, no opcode makes
// more than one node, and nothing recurses. Limits are checked before memory is taken. Any thread; no state is kept.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"
#include "formats/pickle/tree.h"

namespace vizd::pickle {

class Sink;

struct Limits {
  std::uint64_t max_input_bytes = 0xFFFFFFFFu;  // places in the input are 32-bit
  std::size_t max_items = std::size_t{1} << 29;
  std::size_t max_objects = std::size_t{1} << 26;  // objects, and likewise lists, chunks of lists, and classes
  std::size_t max_memo = std::size_t{1} << 28;
  std::size_t max_stack = std::size_t{1} << 26;
  std::size_t max_open_marks = std::size_t{1} << 22;  // how deep tuples, lists and dicts may nest
  std::uint32_t max_text_bytes = Node::kMaxCount;
  std::uint32_t max_block_bytes = 1u << 30;  // of bytes: what a GPU recorded of itself is one block
  std::uint32_t max_integer_bytes = 256;
  // A persistent id, which stands for what lies outside of the pickle, becomes an object of the class kPersistentId in
  // no module, with the id for its one argument. Else it is refused.
  bool takes_persistent_ids = false;
};
inline constexpr std::string_view kPersistentId = "persistent id";

// Whether bytes begin like a pickle of protocol 2 to 5.
bool looks_like_pickle(std::span<const std::byte> bytes);

// Reads the first pickle in bytes; what follows its STOP is ignored, as Python does. name stands in errors, which say
// NAME:OFFSET of the opcode at fault. The tree points into bytes.
Result<Tree> read_pickle(std::span<const std::byte> bytes, const std::string& name, const Limits& limits = {});

struct Fed {
  Node root;                   // what the pickle is
  std::size_t size_bytes = 0;  // of the pickle; what follows it in the bytes is something else
};

// The same into a sink. progress, where there is one, is told now and then how many of the bytes are read; of those the
// sink's nodes may still point to texts and numbers.
Result<Fed> feed_pickle(std::span<const std::byte> bytes, const std::string& name, Sink& sink,
                        const std::function<void(std::uint64_t done_bytes)>& progress = {}, const Limits& limits = {});

// The same of a pickle's first bytes: lists and dicts that are open where they end hold what is read of them by then.
// Errors: as above, but for one that the rest is missing.
Result<Node> feed_beginning(std::span<const std::byte> bytes, const std::string& name, Sink& sink);

}  // namespace vizd::pickle
