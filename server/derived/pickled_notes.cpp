#include "derived/pickled_notes.h"

#include <fmt/format.h>

#include "formats/pickle/machine.h"

namespace vizd {
namespace {

using pickle::Kind;
using pickle::Node;
using pickle::Tree;

std::string text_of(const Tree& tree, Node node) {
  if (node.is(Kind::kString)) return std::string(tree.text(node));
  if (node.is(Kind::kBool)) return *tree.integer(node) != 0 ? "true" : "false";
  if (node.is(Kind::kInt) || node.is(Kind::kLong))
    return node.is(Kind::kLong) ? tree.long_digits(node) : fmt::format("{}", *tree.integer(node));
  if (const auto real = tree.real(node)) return fmt::format("{}", *real);
  return "null";
}

bool is_plain(Node node) {
  return node.is(Kind::kString) || node.is(Kind::kBool) || node.is(Kind::kInt) || node.is(Kind::kLong) ||
         node.is(Kind::kFloat);
}

void take_entry(const Tree& tree, Node entry, NodeNote& note) {
  if (entry.is(Kind::kDict)) {
    tree.for_each_pair(tree.container(entry), [&](Node key, Node value) {
      if (is_plain(value)) note.take(tree.text(key), text_of(tree, value));
    });
  } else if (is_plain(entry)) {
    note.take("name", text_of(tree, entry));
  }
}

NodeNote note_of(const Tree& tree, Node entries) {
  NodeNote note;
  if (entries.is(Kind::kList)) {
    tree.for_each(tree.container(entries), [&](Node entry) { take_entry(tree, entry, note); });
  } else {
    take_entry(tree, entries, note);
  }
  return note;
}

}  // namespace

bool read_pickled_notes(std::span<const std::byte> bytes, const std::string& name, NodeNotes& notes,
                        std::size_t* odd_keys) {
  const auto tree = pickle::read_pickle(bytes, name);
  if (!tree || !tree->root.is(Kind::kDict)) return false;
  // The same list may stand for many nodes: what it says is read once.
  std::map<std::uint32_t, std::shared_ptr<const NodeNote>> known;
  tree->for_each_pair(tree->container(tree->root), [&](Node key, Node entries) {
    const auto id = tree->integer(key);
    if (!id || *id < 0) {
      if (odd_keys != nullptr) ++*odd_keys;
      return;
    }
    std::shared_ptr<const NodeNote> own;
    std::shared_ptr<const NodeNote>& note = entries.is(Kind::kList) ? known[entries.at] : own;
    if (note == nullptr) note = std::make_shared<const NodeNote>(note_of(*tree, entries));
    const bool is_new = notes.insert_or_assign(static_cast<std::uint64_t>(*id), note).second;
    if (!is_new && odd_keys != nullptr) ++*odd_keys;
  });
  return tree->size_bytes == bytes.size();
}

}  // namespace vizd
