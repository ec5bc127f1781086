#include "formats/etdump/torch_values.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <optional>
#include <utility>

#include "formats/etdump/zip_archive.h"
#include "formats/pickle/machine.h"

namespace vizd::etdump {
namespace {

using pickle::Kind;
using pickle::Node;
using pickle::Tree;

constexpr int kDeepest = 16;  // lists in lists
constexpr std::uint64_t kMostValues = 1'000'000;
constexpr std::uint64_t kMostCopiedBytes = std::uint64_t{1} << 30;  // of strided tensors put in order

// The bytes that tensors are views of.
struct Storage {
  std::optional<ScalarType> type;  // none of an untyped one
  std::span<const std::byte> bytes;
  std::shared_ptr<const std::vector<std::byte>> owner;
};

// "FloatStorage" and the like.
std::optional<ScalarType> storage_type(std::string_view class_name) {
  constexpr std::pair<std::string_view, ScalarType> kClasses[] = {{"FloatStorage", ScalarType::kFloat},
                                                                  {"DoubleStorage", ScalarType::kDouble},
                                                                  {"HalfStorage", ScalarType::kHalf},
                                                                  {"BFloat16Storage", ScalarType::kBFloat16},
                                                                  {"LongStorage", ScalarType::kLong},
                                                                  {"IntStorage", ScalarType::kInt},
                                                                  {"ShortStorage", ScalarType::kShort},
                                                                  {"CharStorage", ScalarType::kChar},
                                                                  {"ByteStorage", ScalarType::kByte},
                                                                  {"BoolStorage", ScalarType::kBool},
                                                                  {"QInt8Storage", ScalarType::kQInt8},
                                                                  {"QUInt8Storage", ScalarType::kQUInt8},
                                                                  {"QInt32Storage", ScalarType::kQInt32},
                                                                  {"QUInt4x2Storage", ScalarType::kQUInt4x2},
                                                                  {"QUInt2x4Storage", ScalarType::kQUInt2x4},
                                                                  {"ComplexFloatStorage", ScalarType::kComplexFloat},
                                                                  {"ComplexDoubleStorage", ScalarType::kComplexDouble}};
  const auto found = std::ranges::find(kClasses, class_name, &std::pair<std::string_view, ScalarType>::first);
  return found == std::end(kClasses) ? std::nullopt : std::optional(found->second);
}

// The id of a storage that lies beside the pickle: ("storage", class, key, device, element count).
struct StorageId {
  std::optional<ScalarType> type;
  std::string key;
};
std::optional<StorageId> storage_id(const Tree& tree, Node node) {
  if (!tree.is_object_of(node, "", pickle::kPersistentId)) return std::nullopt;
  const Node args = tree.object(node).args;
  if (!args.is(Kind::kTuple) || args.count() != 1) return std::nullopt;
  const Node id = tree.tuple(args)[0];
  if (!id.is(Kind::kTuple) || id.count() < 3) return std::nullopt;
  const auto parts = tree.tuple(id);
  if (tree.text(parts[0]) != "storage" || !parts[1].is(Kind::kClass)) return std::nullopt;
  return StorageId{storage_type(tree.class_name(parts[1]).name), std::string(tree.text(parts[2]))};
}

// The bytes of _load_from_bytes: four pickles one after another, and then the storage's size and bytes.
std::optional<Storage> legacy_storage(std::span<const std::byte> bytes) {
  pickle::Limits limits;
  limits.takes_persistent_ids = true;
  std::optional<StorageId> id;
  for (int part = 0; part < 5; ++part) {  // magic, protocol, system, the object itself, keys
    const auto tree = pickle::read_pickle(bytes, "storage", limits);
    if (!tree) return std::nullopt;
    if (part == 3) id = storage_id(*tree, tree->root);
    bytes = bytes.subspan(tree->size_bytes);
  }
  std::int64_t count = 0;
  if (!id || bytes.size() < sizeof(count)) return std::nullopt;
  std::memcpy(&count, bytes.data(), sizeof(count));
  bytes = bytes.subspan(sizeof(count));
  const auto size =
      count < 0 ? std::nullopt : dense_bytes(id->type.value_or(ScalarType::kByte), static_cast<std::uint64_t>(count));
  if (!size || *size > bytes.size()) return std::nullopt;
  return Storage{id->type, bytes.first(*size), nullptr};
}

std::optional<std::vector<std::int64_t>> integers(const Tree& tree, Node node) {
  if (tree.is_object_of(node, "torch", "Size")) {
    const Node args = tree.object(node).args;
    if (!args.is(Kind::kTuple) || args.count() != 1) return std::nullopt;
    node = tree.tuple(args)[0];
  }
  if (!node.is(Kind::kTuple) || node.count() > 64) return std::nullopt;
  std::vector<std::int64_t> out;
  for (const Node item : tree.tuple(node)) {
    const auto value = tree.integer(item);
    if (!value) return std::nullopt;
    out.push_back(*value);
  }
  return out;
}

// One reading of one pickle.
class ValueReader {
 public:
  // archive: the torch.save zip whose data.pkl the tree is, with its members under this folder; null: no zip.
  ValueReader(const Tree& tree, std::shared_ptr<const std::vector<std::byte>> owner, const ZipArchive* archive,
              std::string folder)
      : tree_(tree), owner_(std::move(owner)), archive_(archive), folder_(std::move(folder)) {}

  std::optional<std::string> failure() const { return failure_; }

  Value read(Node node, int depth = 0) {
    if (++count_ > kMostValues || depth > kDeepest) {
      failure_ = "holds more values than vizd reads, or nests them too deeply";
      return {};
    }
    if (failure_) return {};
    switch (node.kind()) {
      case Kind::kBool:
        return {node.at != 0};
      case Kind::kInt:
      case Kind::kLong:
        if (const auto value = tree_.integer(node)) return {*value};
        return {};
      case Kind::kFloat:
        return {tree_.real(node).value_or(0)};
      case Kind::kTuple:
        return read_list(tree_.tuple(node), depth);
      case Kind::kList: {
        std::vector<Value> items;
        tree_.for_each(tree_.container(node), [&](Node item) {
          if (!failure_) items.push_back(read(item, depth + 1));
        });
        return {std::move(items)};
      }
      case Kind::kObject:
        return read_object(node, depth);
      default:
        return {};
    }
  }

 private:
  Value read_list(std::span<const Node> nodes, int depth) {
    std::vector<Value> items;
    for (const Node item : nodes) {
      if (failure_) break;
      items.push_back(read(item, depth + 1));
    }
    return {std::move(items)};
  }

  Value read_object(Node node, int depth) {
    constexpr std::string_view kModule = "torch._utils";
    const pickle::Object& object = tree_.object(node);
    if (!object.args.is(Kind::kTuple)) return {};
    const auto args = tree_.tuple(object.args);
    const bool is_parameter = tree_.is_object_of(node, kModule, "_rebuild_parameter");
    if (is_parameter && !args.empty()) return read(args[0], depth + 1);
    const bool is_v3 = tree_.is_object_of(node, kModule, "_rebuild_tensor_v3");
    const bool is_tensor = is_v3 || tree_.is_object_of(node, kModule, "_rebuild_tensor_v2") ||
                           tree_.is_object_of(node, kModule, "_rebuild_tensor") ||
                           tree_.is_object_of(node, kModule, "_rebuild_qtensor");
    if (!is_tensor || args.size() < 4) return {};
    auto storage = find_storage(args[0]);
    const auto offset = tree_.integer(args[1]);
    const auto shape = integers(tree_, args[2]), strides = integers(tree_, args[3]);
    if (!storage || !offset || !shape || !strides) return {};
    if (is_v3 && args.size() > 6 && args[6].is(Kind::kClass)) storage->type = dtype_of(tree_.class_name(args[6]).name);
    if (!storage->type) return {};
    auto tensor = view(*storage, *offset, *shape, *strides);
    return tensor ? Value{std::move(*tensor)} : Value{};
  }

  std::optional<Storage> find_storage(Node node) {
    if (tree_.is_object_of(node, "torch.storage", "_load_from_bytes")) {
      const Node args = tree_.object(node).args;
      if (!args.is(Kind::kTuple) || args.count() != 1 || !tree_.tuple(args)[0].is(Kind::kBytes)) return std::nullopt;
      auto storage = legacy_storage(std::as_bytes(std::span(tree_.text(tree_.tuple(args)[0]))));
      if (storage) storage->owner = owner_;
      return storage;
    }
    const auto id = storage_id(tree_, node);
    if (!id || archive_ == nullptr) return std::nullopt;
    const ZipMember* member = archive_->find(folder_ + "data/" + id->key);
    if (member == nullptr) return std::nullopt;
    auto [known, is_new] = unpacked_.try_emplace(id->key);
    if (is_new) {
      auto bytes = archive_->read(*member);
      if (!bytes) return std::nullopt;
      known->second = {id->type, bytes->bytes, bytes->storage ? bytes->storage : owner_};
    }
    Storage storage = known->second;
    storage.type = id->type;
    return storage;
  }

  // The elements of a strided view, in order; the bytes themselves where they lie so.
  std::optional<Tensor> view(const Storage& storage, std::int64_t offset, const std::vector<std::int64_t>& shape,
                             const std::vector<std::int64_t>& strides) {
    const auto count = element_count_of(shape);
    const unsigned bits = element_bits(*storage.type);
    if (!count || offset < 0 || strides.size() != shape.size() || bits == 0) return std::nullopt;
    std::int64_t dense = 1;
    bool is_dense = true;
    for (std::size_t d = shape.size(); d-- > 0;) {
      is_dense = is_dense && (shape[d] <= 1 || strides[d] == dense);
      if (*count != 0) dense *= std::max<std::int64_t>(shape[d], 1);
    }
    const std::uint64_t size = bits / 8;
    if (is_dense || *count == 0) {
      if (bits % 8 != 0 && offset != 0) return std::nullopt;
      if (size != 0 && static_cast<std::uint64_t>(offset) > storage.bytes.size() / size) return std::nullopt;
      auto tensor = make_tensor(*storage.type, shape, storage.bytes.subspan(static_cast<std::uint64_t>(offset) * size),
                                storage.owner);
      return tensor ? std::optional(std::move(*tensor)) : std::nullopt;
    }
    if (bits % 8 != 0 || *count > kMostCopiedBytes / size || copied_bytes_ + *count * size > kMostCopiedBytes) {
      return std::nullopt;
    }
    copied_bytes_ += *count * size;
    return copy_strided(storage, static_cast<std::uint64_t>(offset), shape, strides, *count, size);
  }

  static std::optional<Tensor> copy_strided(const Storage& storage, std::uint64_t offset,
                                            const std::vector<std::int64_t>& shape,
                                            const std::vector<std::int64_t>& strides, std::uint64_t count,
                                            std::uint64_t size) {
    const std::uint64_t available = storage.bytes.size() / size;
    std::uint64_t last = offset;  // the farthest element that is looked at
    for (std::size_t d = 0; d < shape.size(); ++d) {
      if (strides[d] < 0) return std::nullopt;
      const auto steps = static_cast<std::uint64_t>(shape[d] - 1), stride = static_cast<std::uint64_t>(strides[d]);
      if (stride != 0 && steps > available / stride) return std::nullopt;
      last += steps * stride;
      if (last >= available) return std::nullopt;
    }
    auto bytes = std::make_shared<std::vector<std::byte>>(count * size);
    std::vector<std::int64_t> at(shape.size(), 0);
    for (std::uint64_t i = 0, from = offset; i < count; ++i) {
      std::memcpy(bytes->data() + i * size, storage.bytes.data() + from * size, size);
      for (std::size_t d = shape.size(); d-- > 0;) {
        from += static_cast<std::uint64_t>(strides[d]);
        if (++at[d] < shape[d]) break;
        from -= static_cast<std::uint64_t>(strides[d]) * static_cast<std::uint64_t>(shape[d]);
        at[d] = 0;
      }
    }
    const std::span<const std::byte> all = *bytes;
    auto tensor = make_tensor(*storage.type, shape, all, std::move(bytes));
    return tensor ? std::optional(std::move(*tensor)) : std::nullopt;
  }

  const Tree& tree_;
  std::shared_ptr<const std::vector<std::byte>> owner_;
  const ZipArchive* archive_;
  std::string folder_;
  std::map<std::string, Storage> unpacked_;
  std::uint64_t count_ = 0;
  std::uint64_t copied_bytes_ = 0;
  std::optional<std::string> failure_;
};

Result<std::vector<SavedValue>> read_tree(const Tree& tree, std::shared_ptr<const std::vector<std::byte>> owner,
                                          const ZipArchive* archive, std::string folder, const std::string& name) {
  ValueReader reader(tree, std::move(owner), archive, std::move(folder));
  std::vector<SavedValue> values;
  if (tree.root.is(Kind::kDict)) {
    tree.for_each_pair(tree.container(tree.root), [&](Node key, Node value) {
      values.push_back({std::string(tree.text(key)), reader.read(value)});
    });
  } else {
    values.push_back({"", reader.read(tree.root)});
  }
  if (reader.failure()) return Error{ErrorKind::kTooLarge, *reader.failure(), name};
  return values;
}

Result<std::vector<SavedValue>> read_torch_save(std::span<const std::byte> bytes,
                                                std::shared_ptr<const std::vector<std::byte>> storage,
                                                const std::string& name) {
  const auto archive = ZipArchive::open(bytes, name);
  if (!archive) return archive.error();
  const auto pickled = std::ranges::find_if(archive->members(), [](const ZipMember& member) {
    return member.name == "data.pkl" || member.name.ends_with("/data.pkl");
  });
  if (pickled == archive->members().end()) {
    return Error{ErrorKind::kBadInput, "is a zip without a data.pkl; save it with torch.save", name};
  }
  const auto text = archive->read(*pickled);
  if (!text) return text.error();
  pickle::Limits limits;
  limits.takes_persistent_ids = true;
  const auto tree = pickle::read_pickle(text->bytes, name, limits);
  if (!tree) return tree.error();
  const std::string folder = pickled->name.substr(0, pickled->name.size() - std::string_view("data.pkl").size());
  return read_tree(*tree, std::move(storage), &*archive, folder, name);
}

}  // namespace

Result<std::vector<SavedValue>> read_saved_values(std::span<const std::byte> bytes,
                                                  std::shared_ptr<const std::vector<std::byte>> storage,
                                                  const std::string& name) {
  if (bytes.size() > 4 && std::memcmp(bytes.data(), "PK", 2) == 0) return read_torch_save(bytes, storage, name);
  const auto tree = pickle::read_pickle(bytes, name);
  if (!tree) return tree.error();
  return read_tree(*tree, std::move(storage), nullptr, "", name);
}

}  // namespace vizd::etdump
