// Tree: a pickle as data: nodes of eight bytes that point into the pickle's own bytes and into a few
// arrays. Nothing of it is an object of any language, nothing was executed. Made by the pickle machine
// (machine.h), walked by the readers of a format, and dropped once the capture is filled.
// Nodes may share and, through lists, dicts, sets and objects, contain themselves: walkers keep account.
// The bytes must outlive the tree. Read-only once made, by any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/huge_pages.h"

namespace vizd::pickle {

enum class Kind : std::uint8_t {
  kNone,
  kBool,
  kInt,    // fits int32
  kLong,   // any integer: little-endian two's complement bytes of the pickle
  kFloat,  // eight big-endian bytes of the pickle
  kString,
  kBytes,
  kTuple,
  kList,
  kSet,
  kDict,
  kClass,   // a class or function by its name
  kObject,  // what a class or function would make of its arguments
};

// kind and what it needs: the number itself, a place and a length in the pickle, a tuple's first item and length, or
// an index into the lists, classes or objects.
struct Node {
  // Also of bytes that are this long or longer, whose length stands before them in the pickle (Tree::long_size).
  static constexpr std::uint32_t kMaxCount = (1u << 27) - 1;

  std::uint32_t at = 0;
  std::uint32_t kind_and_count = 0;

  static constexpr Node make(Kind kind, std::uint32_t at, std::uint32_t count = 0) {
    return {at, count << 5 | static_cast<std::uint32_t>(kind)};
  }
  Kind kind() const { return static_cast<Kind>(kind_and_count & 31); }
  std::uint32_t count() const { return kind_and_count >> 5; }
  bool is(Kind k) const { return kind() == k; }
  bool operator==(const Node&) const = default;
};

// A list, set or dict: chunks in order, as they were appended. A dict's items are key, value, key, value, …
struct Container {
  static constexpr std::uint32_t kNoChunk = 0xFFFFFFFFu;

  std::uint32_t first_chunk = kNoChunk;
  std::uint32_t last_chunk = kNoChunk;
  std::uint32_t size = 0;
};

struct Chunk {
  std::uint32_t begin = 0;  // into items
  std::uint32_t count = 0;
  std::uint32_t next = Container::kNoChunk;
};

// What REDUCE, NEWOBJ or NEWOBJ_EX made, and what was done to it since.
struct Object {
  Node callable;                                  // a class, as a rule
  Node args;                                      // a tuple
  Node kwargs;                                    // a dict or none
  Node state;                                     // BUILD's argument or none
  std::uint32_t container = Container::kNoChunk;  // what was appended to it, where it is a list or dict of a kind
  bool built = false;
};

struct ClassName {
  std::string_view module;
  std::string_view name;
};

struct Tree {
  std::span<const std::byte> bytes;
  std::size_t size_bytes = 0;  // of the pickle; what follows it in bytes is something else
  Node root;
  LargeVector<Node> items;
  std::vector<Chunk> chunks;
  std::vector<Container> containers;
  LargeVector<Object> objects;
  std::vector<ClassName> classes;

  // The text of a kString or kBytes; "" for anything else.
  std::string_view text(Node node) const {
    if (!node.is(Kind::kString) && !node.is(Kind::kBytes)) return {};
    const bool is_long = node.is(Kind::kBytes) && node.count() == Node::kMaxCount;
    const std::size_t size = is_long ? long_size(node) : node.count();
    return {reinterpret_cast<const char*>(bytes.data()) + node.at, size};
  }
  std::span<const Node> tuple(Node node) const { return std::span(items).subspan(node.at, node.count()); }
  const Container& container(Node node) const { return containers[node.at]; }
  const Object& object(Node node) const { return objects[node.at]; }
  const ClassName& class_name(Node node) const { return classes[node.at]; }

  // Calls f(std::span<const Node>) for each run of items of a list or set, or of keys and values of a dict, in order.
  template <typename F>
  void for_each_run(const Container& container, F&& f) const {
    for (std::uint32_t c = container.first_chunk; c != Container::kNoChunk; c = chunks[c].next) {
      f(std::span(items).subspan(chunks[c].begin, chunks[c].count));
    }
  }
  // Calls f(Node) for each item of a list or set, or each key and value of a dict, in order.
  template <typename F>
  void for_each(const Container& container, F&& f) const {
    for_each_run(container, [&](std::span<const Node> run) {
      for (const Node item : run) f(item);
    });
  }
  // Calls f(key, value) for each pair of a dict. A pair never straddles runs.
  template <typename F>
  void for_each_pair(const Container& container, F&& f) const {
    for_each_run(container, [&](std::span<const Node> run) {
      for (std::size_t i = 0; i + 1 < run.size(); i += 2) f(run[i], run[i + 1]);
    });
  }
  // Begins to load a tuple that will be read soon: a large tree does not fit into the cache.
  void prefetch(Node node) const {
    if (node.is(Kind::kTuple)) __builtin_prefetch(items.data() + node.at);
  }

  // The bytes of a node whose count says only that they are many.
  std::size_t long_size(Node node) const;
  // kBool, kInt, and kLong where it fits; else nothing.
  std::optional<std::int64_t> integer(Node node) const;
  // kBool, kInt, kFloat; kLong where it fits int64.
  std::optional<double> real(Node node) const;
  // The decimal digits of a kLong of any size.
  std::string long_digits(Node node) const;
  // Whether node is an object made by this very class (or function).
  bool is_object_of(Node node, std::string_view module, std::string_view name) const;
  // The value under a text key of a dict; none where there is none, or no dict.
  std::optional<Node> value(Node dict, std::string_view key) const;
  // The value of an attribute that BUILD set on an object; none where there is none of that name.
  std::optional<Node> attribute(const Object& object, std::string_view name) const;
};

}  // namespace vizd::pickle
