// ValueReader: makes a capture's values (model/value.h) and ops (model/op_graph.h) of pickle nodes. What each class of
// tinygrad becomes is written down in README.md of this folder.
// Shared nodes are made once; nodes that contain themselves, that nest too deeply or that hold an op this version does
// not know are refused, with everything around them, one reason each. Nothing recurses. One thread; the tree, the
// version and the capture must outlive it.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string_view>
#include <vector>

#include "base/hash_index.h"
#include "formats/pickle/tree.h"
#include "formats/tinygrad/version.h"
#include "model/capture.h"

namespace vizd::tinygrad {

class ValueReader {
 public:
  // How deep values may nest in one another. The ops of a graph may be as deep as they like.
  static constexpr std::uint32_t kMaxDepth = 100;

  ValueReader(const pickle::Tree& tree, const Version& version, Capture& capture);

  // What the functions below give where there is nothing. An optional would cost more than reading most values: made
  // in two parts and taken as one, it has to wait for memory.
  static constexpr ValueId kNoValue{kNoId};
  static constexpr std::uint16_t kNoKind = 0xFFFF;

  // The node's value; a UOp is kOp. kNoValue where it has none: problem() says why.
  ValueId read_or_none(pickle::Node node);
  std::optional<ValueId> read(pickle::Node node) {
    const ValueId value = read_or_none(node);
    return value == kNoValue ? std::nullopt : std::optional(value);
  }
  // The number of a member of tinygrad's Ops, or kNoKind.
  std::uint16_t read_op_kind(pickle::Node node);
  // A KERNEL's argument with the op its syntax tree became in place of that op's number in the capture.
  std::optional<ValueId> read_kernel(pickle::Node node, OpId ast);
  // A text as the string table holds it: UTF-8, where lone surrogates may stand; "" for anything but text.
  StringId read_text(pickle::Node node);

  bool is_kernel(pickle::Node node) const { return is_object_of(node, ClassKind::kKernel); }
  bool is_uop(pickle::Node node) const { return is_object_of(node, ClassKind::kUOp); }
  std::string_view problem() const { return problem_; }

 private:
  struct ClassInfo {
    ClassKind kind = ClassKind::kOther;
    const EnumTable* members = nullptr;   // of kEnum
    std::vector<ValueId> argument_names;  // what positional arguments are called, as far as it is known
    std::string type_name;                // "module.Class"
  };
  // A node whose parts are being read.
  struct Frame {
    pickle::Node node;
    std::uint32_t depth = 0;
    std::size_t first_part = 0;  // into parts_
    std::size_t next_part = 0;
    std::size_t end_part = 0;
    std::size_t first_result = 0;  // into results_
  };

  ClassInfo describe(const pickle::ClassName& name);
  bool is_object_of(pickle::Node node, ClassKind kind) const;
  const ClassInfo& class_of(pickle::Node object) const;

  ValueId read_leaf(pickle::Node node);
  ValueId read_flat_tuple(pickle::Node node);
  std::optional<ValueId> read_member(pickle::Node node);
  std::optional<ValueId> read_unknown_member(const ClassInfo& info, std::optional<std::int64_t> number,
                                             std::string_view name);
  std::optional<ValueId> walk(pickle::Node root);
  bool enter(pickle::Node node, std::uint32_t depth);
  void list_parts(pickle::Node node);
  std::optional<ValueId> finish(const Frame& frame);
  ValueId finish_object(const Frame& frame);
  void keep_field(std::vector<ValueId>& items, std::string_view name) const;
  std::optional<ValueId> finish_uop(const Frame& frame);
  std::nullopt_t fail(std::string_view problem);

  static std::uint64_t cache_key(pickle::Node node);
  // The value kept for a node, or kUnread, kReading, kRefused.
  ValueId cached(pickle::Node node) const;
  void keep(pickle::Node node, ValueId value);

  const pickle::Tree& tree_;
  const Version& version_;
  Capture& capture_;
  std::vector<ClassInfo> classes_;            // by the tree's class index
  ClassInfo unnamed_class_;                   // of objects that were made by calling another object
  std::vector<ValueId> objects_;              // by the tree's object index
  std::vector<std::uint16_t> op_kinds_;       // likewise
  std::vector<std::string_view> told_names_;  // of ops, where they are told capture by capture
  std::vector<EnumTable> enums_;              // the version's, with those names
  struct Kept {
    std::uint64_t key;
    ValueId value;
  };
  std::vector<Kept> kept_;  // of tuples, lists, sets and dicts
  HashIndex kept_index_;
  std::vector<Frame> frames_;
  std::vector<pickle::Node> parts_;
  std::vector<ValueId> results_;
  std::map<std::string, std::int64_t> unknown_members_;  // numbers by "type name"
  std::string_view problem_;
};

}  // namespace vizd::tinygrad
