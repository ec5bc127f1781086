// Longer than a file should be: one loop runs millions of opcodes, and what it calls is inlined into it where all of it
// is in one place. What only a damaged pickle needs is in refusals.h.
#include "formats/pickle/machine.h"

#include <fmt/core.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "base/utf8.h"
#include "formats/pickle/cut_end.h"
#include "formats/pickle/opcodes.h"
#include "formats/pickle/refusals.h"
#include "formats/pickle/sink.h"
#include "formats/pickle/stack.h"

namespace vizd::pickle {
namespace {

static_assert(std::endian::native == std::endian::little, "operands are copied as they lie in the pickle");

constexpr Node kUnset{0, 31};  // a memo entry that was never written

// One run over one pickle. Handlers return false once they have called fail().
class Machine {
 public:
  using Progress = std::function<void(std::uint64_t done_bytes)>;

  // Without a sink it makes a tree.
  Machine(std::span<const std::byte> bytes, const std::string& name, const Limits& limits, Sink* sink,
          const Progress& progress)
      : name_(name),
        limits_(limits),
        end_(bytes.size()),
        next_told_(progress ? kToldBytes : end_),
        stack_(limits.max_stack, limits.max_open_marks),
        sink_(sink),
        progress_(progress) {
    tree_.bytes = bytes;
    // A pickle of tinygrad has an item for every four bytes; untouched room costs nothing.
    if (sink_ == nullptr) tree_.items.reserve(std::min(bytes.size() / 3, limits.max_items));
    memo_.reserve(std::min(bytes.size() / 16, limits.max_memo));
  }

  Result<Tree> run() {
    while (!stopped_) {
      if (at_ > next_told_) tell();
      if (!run_common() || !step()) return Error{kind_, std::move(message_), fmt::format("{}:{}", name_, opcode_at_)};
    }
    return std::move(tree_);  // with a sink nothing but its root
  }

  // The bytes are a pickle's first ones: run() may fail since they end, and what is open can be closed then.
  void take_beginning() { is_beginning_ = true; }
  bool is_cut() const { return is_cut_; }
  Node close() { return close_what_is_open(stack_, *sink_); }

 private:
  static constexpr std::size_t kToldBytes = std::size_t{16} << 20;

  [[gnu::cold, gnu::noinline]] void tell() {
    progress_(at_);
    next_told_ = at_ + kToldBytes;
  }

  // --- errors, kept out of the way of what runs millions of times

  [[gnu::cold, gnu::noinline]] bool fail(std::string message, ErrorKind kind = ErrorKind::kBadInput) {
    message_ = std::move(message);
    kind_ = kind;
    return false;
  }
  [[gnu::cold, gnu::noinline]] bool fail_cut() {
    is_cut_ = true;
    return fail("the pickle ends here, in the middle; was the file cut, or is it still being written?");
  }
  [[gnu::cold, gnu::noinline]] bool fail_limit(std::string_view what, std::uint64_t limit) {
    return fail(fmt::format("more than {} {}; vizd does not read pickles that large", limit, what),
                ErrorKind::kTooLarge);
  }
  [[gnu::cold, gnu::noinline]] bool fail_stack() {
    return fail("an opcode finds too little on the stack; the file is damaged");
  }
  // --- operands

  template <typename T>
  bool operand(T& value) {
    if (end_ - at_ < sizeof(T)) return fail_cut();
    std::memcpy(&value, tree_.bytes.data() + at_, sizeof(T));
    at_ += sizeof(T);
    return true;
  }

  // A length of type T and as many bytes.
  template <typename T>
  bool push_block(Kind kind) {
    T length{};
    if (!operand(length)) return false;
    const std::uint32_t most = kind == Kind::kString ? limits_.max_text_bytes : limits_.max_block_bytes;
    if (length > most) return fail_limit(kind == Kind::kString ? "bytes in one text" : "bytes in one block", most);
    return push_block_of(kind, static_cast<std::uint32_t>(length));
  }

  template <typename T>
  bool push_long() {
    T length{};
    if (!operand(length)) return false;
    if (std::cmp_less(length, 0)) return fail("an integer of negative length; the file is damaged");
    if (std::cmp_greater(length, limits_.max_integer_bytes)) {
      return fail_limit("bytes in one integer", limits_.max_integer_bytes);
    }
    return push_block_of(Kind::kLong, static_cast<std::uint32_t>(length));
  }

  bool push_block_of(Kind kind, std::uint32_t length) {
    if (end_ - at_ < length) return fail_cut();
    const Node node = Node::make(kind, static_cast<std::uint32_t>(at_), std::min(length, Node::kMaxCount));
    if (kind == Kind::kString && !is_utf8(tree_.text(node))) return fail("a text is not UTF-8; the file is damaged");
    at_ += length;
    return push(node);
  }

  bool push_float() {
    const auto begin = static_cast<std::uint32_t>(at_);
    if (end_ - at_ < 8) return fail_cut();
    at_ += 8;
    return push(Node::make(Kind::kFloat, begin));
  }

  bool line(std::string_view& text) {
    const std::string_view rest(reinterpret_cast<const char*>(tree_.bytes.data()) + at_, end_ - at_);
    const std::size_t length = rest.find('\n');
    if (length == std::string_view::npos) return fail_cut();
    text = rest.substr(0, length);
    at_ += length + 1;
    return true;
  }

  // --- stack and memo

  bool push(Node node) { return stack_.push(node) || fail_limit("values on the stack", limits_.max_stack); }
  bool need(std::size_t count) { return stack_.available() >= count || fail_stack(); }

  bool mark() { return stack_.push_mark() || fail_limit("marks open at once", limits_.max_open_marks); }

  // How many values lay above the last mark, which is gone then.
  bool take_mark(std::size_t& count) {
    if (!stack_.has_mark()) return fail("an opcode finds no mark on the stack; the file is damaged");
    count = stack_.take_mark();
    return true;
  }

  bool pop() {
    if (stack_.available() != 0) {
      stack_.drop(1);
      return true;
    }
    std::size_t count = 0;  // CPython's POP takes a mark off where one is on top
    return stack_.has_mark() ? take_mark(count) : fail_stack();
  }

  bool pop_mark() {
    std::size_t count = 0;
    if (!take_mark(count)) return false;
    stack_.drop(count);
    return true;
  }

  bool duplicate() { return need(1) && push(stack_.top()); }

  template <typename T>
  bool put() {
    T slot{};
    if (!operand(slot) || !need(1)) return false;
    // A pickler numbers its memo without gaps, and an entry costs at least two bytes of input.
    if (slot >= limits_.max_memo || slot > end_) return fail_limit("entries in the memo", limits_.max_memo);
    if (slot >= memo_.size()) memo_.resize(std::size_t{slot} + 1, kUnset);
    memo_[slot] = stack_.top();
    return true;
  }

  // --- tuples, lists, sets, dicts

  // Moves the last count values into the items; begin is where they lie there.
  bool store(std::size_t count, std::uint32_t& begin) {
    if (tree_.items.size() + count > limits_.max_items) return fail_limit("values", limits_.max_items);
    begin = static_cast<std::uint32_t>(tree_.items.size());
    const auto values = stack_.last(count);
    if (count <= 3) {  // most tuples; cheaper one by one
      for (const Node value : values) tree_.items.push_back(value);
    } else {
      tree_.items.insert(tree_.items.end(), values.begin(), values.end());
    }
    stack_.drop(count);
    return true;
  }

  bool tuple_of(std::size_t count) {
    if (!need(count)) return false;
    if (count > Node::kMaxCount) return fail_limit("items in one tuple", Node::kMaxCount);
    if (sink_ != nullptr) {
      const Node node = Node::make(Kind::kTuple, sink_->tuple(stack_.last(count)));
      stack_.drop(count);
      return push(node);
    }
    std::uint32_t begin = 0;
    return store(count, begin) && push(Node::make(Kind::kTuple, begin, static_cast<std::uint32_t>(count)));
  }

  bool tuple_from_mark() {
    std::size_t count = 0;
    return take_mark(count) && tuple_of(count);
  }

  bool new_container(Kind kind, std::uint32_t& index) {
    if (sink_ != nullptr) {
      index = sink_->container(kind);
      return true;
    }
    if (tree_.containers.size() >= limits_.max_objects) return fail_limit("lists and dicts", limits_.max_objects);
    index = static_cast<std::uint32_t>(tree_.containers.size());
    tree_.containers.emplace_back();
    return true;
  }

  bool push_container(Kind kind) {
    std::uint32_t index = 0;
    return new_container(kind, index) && push(Node::make(kind, index));
  }

  bool frozen_set() {
    std::uint32_t index = 0;
    std::size_t count = 0;
    if (!take_mark(count) || !new_container(Kind::kSet, index)) return false;
    const Node node = Node::make(Kind::kSet, index);
    return extend(node, count) && push(node);
  }

  // Appends the last count values to a list, set or dict.
  bool extend(Node target, std::size_t count) {
    std::uint32_t begin = 0;
    if (count == 0) return true;
    if (sink_ != nullptr) {
      sink_->extend(target, stack_.last(count));
      stack_.drop(count);
      return true;
    }
    if (!store(count, begin)) return false;
    const auto added = static_cast<std::uint32_t>(count);
    Container& container = tree_.containers[target.at];
    container.size += added;
    if (container.last_chunk != Container::kNoChunk) {
      Chunk& last = tree_.chunks[container.last_chunk];
      if (last.begin + last.count == begin) {
        last.count += added;
        return true;
      }
    }
    if (tree_.chunks.size() >= limits_.max_items) return fail_limit("pieces of lists", limits_.max_items);
    const auto chunk = static_cast<std::uint32_t>(tree_.chunks.size());
    tree_.chunks.push_back({.begin = begin, .count = added});
    if (container.last_chunk != Container::kNoChunk) {
      tree_.chunks[container.last_chunk].next = chunk;
    } else {
      container.first_chunk = chunk;
    }
    container.last_chunk = chunk;
    return true;
  }

  // APPEND(S), SETITEM(S) and ADDITEMS: the last count values go into the list, dict or set (kind) under them, or into
  // an object of a class derived from one.
  bool extend_under(std::size_t count, Kind kind) {
    if (!need(count + 1)) return false;
    const Node target = stack_.under(count);
    if (kind == Kind::kDict && count % 2 != 0) return fail("a dict's key has no value; the file is damaged");
    if (target.is(kind)) return extend(target, count);
    if (!target.is(Kind::kObject)) {
      return fail(fmt::format("adds items to {}; the file is damaged", kind_name(target)));
    }
    std::uint32_t container = tree_.objects[target.at].container;
    if (container == Container::kNoChunk) {
      if (!new_container(kind, container)) return false;
      tree_.objects[target.at].container = container;
    }
    return extend(Node::make(kind, container), count);
  }

  bool extend_from_mark(Kind kind) {
    std::size_t count = 0;
    return take_mark(count) && extend_under(count, kind);
  }

  // --- classes and objects

  bool push_class(std::string_view module, std::string_view class_name) {
    if (sink_ != nullptr) return fail("names a class, which this kind of file never does; do not trust its origin");
    if (!is_utf8(module) || !is_utf8(class_name)) return fail("a class's name is not UTF-8; the file is damaged");
    if (tree_.classes.size() >= limits_.max_objects) return fail_limit("classes", limits_.max_objects);
    tree_.classes.push_back({module, class_name});
    return push(Node::make(Kind::kClass, static_cast<std::uint32_t>(tree_.classes.size() - 1)));
  }

  bool global() {
    std::string_view module, class_name;
    return line(module) && line(class_name) && push_class(module, class_name);
  }

  bool stack_global() {
    if (!need(2)) return false;
    const Node class_name = stack_.pop();
    const Node module = stack_.pop();
    if (!module.is(Kind::kString) || !class_name.is(Kind::kString)) {
      return fail(
          fmt::format("a class is named by {} and {}; the file is damaged", kind_name(module), kind_name(class_name)));
    }
    return push_class(tree_.text(module), tree_.text(class_name));
  }

  // REDUCE, NEWOBJ and NEWOBJ_EX alike: remembers what Python would call, with which arguments.
  bool make_object(bool with_keywords) {
    if (!need(with_keywords ? 3 : 2)) return false;
    Object object;
    if (with_keywords) object.kwargs = stack_.pop();
    if (with_keywords && !object.kwargs.is(Kind::kDict)) {
      return fail("keyword arguments are no dict; the file is damaged");
    }
    object.args = stack_.pop();
    object.callable = stack_.pop();
    if (!object.callable.is(Kind::kClass) && !object.callable.is(Kind::kObject)) {
      return fail(fmt::format("calls {}; the file is damaged", kind_name(object.callable)));
    }
    if (!object.args.is(Kind::kTuple)) {
      return fail(fmt::format("calls a class with {} for its arguments; the file is damaged", kind_name(object.args)));
    }
    if (tree_.objects.size() >= limits_.max_objects) return fail_limit("objects", limits_.max_objects);
    tree_.objects.push_back(object);
    return push(Node::make(Kind::kObject, static_cast<std::uint32_t>(tree_.objects.size() - 1)));
  }

  bool push_persistent() {
    if (!limits_.takes_persistent_ids) return refuse(Opcode::kBinPersId);
    return push_class({}, kPersistentId) && swap_top() && tuple_of(1) && make_object(false);
  }

  bool swap_top() {
    if (!need(2)) return false;
    const Node top = stack_.pop();
    const Node under = stack_.pop();
    return push(top) && push(under);
  }

  bool build() {
    if (!need(2)) return false;
    const Node state = stack_.pop();
    const Node target = stack_.top();
    if (!target.is(Kind::kObject)) {
      return fail(fmt::format("sets the state of {}; the file is damaged", kind_name(target)));
    }
    Object& object = tree_.objects[target.at];
    if (object.built) return fail("sets the state of an object twice; the file is damaged");
    object.built = true;
    object.state = state;
    return true;
  }

  // --- the inner loop

  // Runs opcodes until one comes that is not common, which is left to step(). The common ones make up nearly all of a
  // capture's pickle; here the two things that change with each, the place in the input and the end of the stack, stay
  // in registers, which makes the whole machine twice as fast. Long for that reason.
  bool run_common() {
    const std::byte* const bytes = tree_.bytes.data();
    std::size_t at = at_;
    Node* end = stack_.end();
    const auto leave = [&] {
      opcode_at_ = at_ = at;
      stack_.set_end(end);
    };
    Node node;
    const auto push_int = [&](auto value) {
      if (end_ - at <= sizeof(value)) return false;
      std::memcpy(&value, bytes + at + 1, sizeof(value));
      node = Node::make(Kind::kInt, value);
      at += 1 + sizeof(value);
      return true;
    };
    const auto get = [&](auto slot) {
      if (end_ - at <= sizeof(slot)) return false;
      std::memcpy(&slot, bytes + at + 1, sizeof(slot));
      node = slot < memo_.size() ? memo_[slot] : kUnset;
      at += 1 + sizeof(slot);
      return true;
    };
    for (; at < end_; *end++ = node) {
      if (end == stack_.limit()) {  // makes room for the one value that an opcode may add
        leave();
        if (!stack_.grow()) return fail_limit("values on the stack", limits_.max_stack);
        end = stack_.end();
      }
      bool whole = true;
      switch (static_cast<Opcode>(bytes[at])) {
        case Opcode::kNone:
          node = Node::make(Kind::kNone, 0);
          at += 1;
          break;
        case Opcode::kNewTrue:
          node = Node::make(Kind::kBool, 1);
          at += 1;
          break;
        case Opcode::kNewFalse:
          node = Node::make(Kind::kBool, 0);
          at += 1;
          break;
        case Opcode::kBinInt:
          whole = push_int(std::uint32_t{});
          break;
        case Opcode::kBinInt1:
          whole = push_int(std::uint8_t{});
          break;
        case Opcode::kBinInt2:
          whole = push_int(std::uint16_t{});
          break;
        case Opcode::kLongBinGet:
          whole = get(std::uint32_t{});
          break;
        case Opcode::kBinGet:
          whole = get(std::uint8_t{});
          break;
        case Opcode::kMemoize:
          if (end == stack_.floor()) {
            leave();
            return fail_stack();
          }
          if (memo_.size() == limits_.max_memo) {
            leave();
            return fail_limit("entries in the memo", limits_.max_memo);
          }
          memo_.push_back(node = *--end);
          at += 1;
          break;
        default:
          leave();
          return true;
      }
      if (!whole || node == kUnset) {
        leave();
        return whole ? fail("takes what the memo does not hold; the file is damaged") : fail_cut();
      }
    }
    leave();
    return at < end_ || fail_cut();
  }

  // --- the rest

  bool protocol() {
    std::uint8_t version = 0;
    if (!operand(version)) return false;
    if (version >= 2 && version <= 5) return true;
    return fail(fmt::format("pickle protocol {}; vizd reads protocols 2 to 5", version));
  }

  bool frame() {
    std::uint64_t length = 0;
    if (!operand(length)) return false;
    if (length <= end_ - at_ || is_beginning_) return true;
    return fail(
        fmt::format("a frame of {} bytes, but only {} are left; was the file cut, or is it still being written?",
                    length, end_ - at_));
  }

  bool stop() {
    if (stack_.has_mark() || stack_.available() != 1) {
      return fail("the pickle ends with more or less than one value; the file is damaged");
    }
    tree_.root = stack_.top();
    tree_.size_bytes = at_;
    stopped_ = true;
    return true;
  }

  [[gnu::cold, gnu::noinline]] bool refuse(Opcode opcode) { return fail(refusal_of(opcode)); }

  // One opcode that is not common. Long, because the pickle machine has that many: one line each.
  bool step() {
    opcode_at_ = at_;
    Opcode opcode{};
    if (!operand(opcode)) return false;
    switch (opcode) {
      case Opcode::kMark:
        return mark();
      case Opcode::kStop:
        return stop();
      case Opcode::kPop:
        return pop();
      case Opcode::kPopMark:
        return pop_mark();
      case Opcode::kDup:
        return duplicate();
      case Opcode::kBinPersId:
        return push_persistent();
      case Opcode::kLong1:
        return push_long<std::uint8_t>();
      case Opcode::kLong4:
        return push_long<std::int32_t>();
      case Opcode::kBinFloat:
        return push_float();
      case Opcode::kShortBinUnicode:
        return push_block<std::uint8_t>(Kind::kString);
      case Opcode::kBinUnicode:
        return push_block<std::uint32_t>(Kind::kString);
      case Opcode::kBinUnicode8:
        return push_block<std::uint64_t>(Kind::kString);
      case Opcode::kShortBinBytes:
        return push_block<std::uint8_t>(Kind::kBytes);
      case Opcode::kBinBytes:
        return push_block<std::uint32_t>(Kind::kBytes);
      case Opcode::kBinBytes8:
      case Opcode::kByteArray8:
        return push_block<std::uint64_t>(Kind::kBytes);
      case Opcode::kEmptyTuple:
        return tuple_of(0);
      case Opcode::kTuple1:
        return tuple_of(1);
      case Opcode::kTuple2:
        return tuple_of(2);
      case Opcode::kTuple3:
        return tuple_of(3);
      case Opcode::kTuple:
        return tuple_from_mark();
      case Opcode::kEmptyList:
        return push_container(Kind::kList);
      case Opcode::kEmptyDict:
        return push_container(Kind::kDict);
      case Opcode::kEmptySet:
        return push_container(Kind::kSet);
      case Opcode::kAppend:
        return extend_under(1, Kind::kList);
      case Opcode::kAppends:
        return extend_from_mark(Kind::kList);
      case Opcode::kSetItem:
        return extend_under(2, Kind::kDict);
      case Opcode::kSetItems:
        return extend_from_mark(Kind::kDict);
      case Opcode::kAddItems:
        return extend_from_mark(Kind::kSet);
      case Opcode::kFrozenSet:
        return frozen_set();
      case Opcode::kGlobal:
        return global();
      case Opcode::kStackGlobal:
        return stack_global();
      case Opcode::kReduce:
      case Opcode::kNewObj:
        return make_object(false);
      case Opcode::kNewObjEx:
        return make_object(true);
      case Opcode::kBuild:
        return build();
      case Opcode::kBinPut:
        return put<std::uint8_t>();
      case Opcode::kLongBinPut:
        return put<std::uint32_t>();
      case Opcode::kProto:
        return protocol();
      case Opcode::kFrame:
        return frame();
      default:
        return refuse(opcode);
    }
  }

  const std::string& name_;
  const Limits limits_;
  const std::size_t end_;
  std::size_t at_ = 0;
  std::size_t opcode_at_ = 0;  // where the opcode being run begins
  std::size_t next_told_;
  bool stopped_ = false;
  bool is_beginning_ = false;
  bool is_cut_ = false;  // the bytes end in the middle
  Tree tree_;
  Stack stack_;
  Sink* const sink_;
  const Progress& progress_;
  LargeVector<Node> memo_;
  std::string message_;
  ErrorKind kind_ = ErrorKind::kBadInput;
};

}  // namespace

bool looks_like_pickle(std::span<const std::byte> bytes) {
  return bytes.size() >= 2 && bytes[0] == std::byte{0x80} && bytes[1] >= std::byte{2} && bytes[1] <= std::byte{5};
}

namespace {

Result<void> check_size(std::span<const std::byte> bytes, const std::string& name, const Limits& limits) {
  if (bytes.size() <= limits.max_input_bytes && bytes.size() <= 0xFFFFFFFFu) return {};
  return Error{ErrorKind::kTooLarge,
               fmt::format("{} bytes; vizd reads pickles of up to {}", bytes.size(), limits.max_input_bytes), name};
}

Result<Tree> run_machine(std::span<const std::byte> bytes, const std::string& name, const Limits& limits, Sink* sink,
                         const Machine::Progress& progress) {
  VIZD_TRY(check_size(bytes, name, limits));
  return Machine(bytes, name, limits, sink, progress).run();
}

}  // namespace

Result<Tree> read_pickle(std::span<const std::byte> bytes, const std::string& name, const Limits& limits) {
  return run_machine(bytes, name, limits, nullptr, {});
}

Result<Fed> feed_pickle(std::span<const std::byte> bytes, const std::string& name, Sink& sink,
                        const std::function<void(std::uint64_t done_bytes)>& progress, const Limits& limits) {
  auto tree = run_machine(bytes, name, limits, &sink, progress);
  if (!tree) return std::move(tree).error();
  return Fed{tree->root, tree->size_bytes};
}

Result<Node> feed_beginning(std::span<const std::byte> bytes, const std::string& name, Sink& sink) {
  const Limits limits;
  VIZD_TRY(check_size(bytes, name, limits));
  Machine machine(bytes, name, limits, &sink, {});
  machine.take_beginning();
  auto tree = machine.run();
  if (tree) return tree->root;
  if (!machine.is_cut()) return std::move(tree).error();
  return machine.close();
}

}  // namespace vizd::pickle
