#include "reference/inspector/reference_tensors.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include "base/mapped_file.h"
#include "reference/inspector/npy.h"

namespace vizd::inspector {
namespace {

constexpr std::size_t kMostFiles = 100'000;
constexpr std::size_t kMostOutputs = 10'000;
constexpr std::uint64_t kMostBytes = std::uint64_t{4} << 30;

struct FileName {
  std::vector<std::int64_t> handles;
  std::optional<std::size_t> output;
};

// "12.npy", "12.1.npy", "3_4.npy"; none of any other name.
std::optional<FileName> parse_name(std::string_view name) {
  constexpr std::string_view kNpySuffix = ".npy";
  if (!name.ends_with(kNpySuffix)) return std::nullopt;
  name.remove_suffix(kNpySuffix.size());
  FileName parsed;
  const char* at = name.data();
  const char* const end = at + name.size();
  while (true) {
    std::int64_t handle = 0;
    const auto [stop, error] = std::from_chars(at, end, handle);
    if (error != std::errc()) return std::nullopt;
    parsed.handles.push_back(handle);
    at = stop;
    if (at == end || *at != '_') break;
    ++at;
  }
  if (at == end) return parsed;
  if (*at != '.') return std::nullopt;
  std::size_t output = 0;
  const auto [stop, error] = std::from_chars(at + 1, end, output);
  if (error != std::errc() || stop != end || output >= kMostOutputs) return std::nullopt;
  parsed.output = output;
  return parsed;
}

// The tensor of a file, with the file's bytes in it.
Result<Tensor> read_file(const std::string& path) {
  const auto file = MappedFile::open(path);
  if (!file) return file.error();
  auto bytes = std::make_shared<const std::vector<std::byte>>(file->bytes().begin(), file->bytes().end());
  auto tensor = read_npy(*bytes, path);
  if (tensor && !tensor->storage) tensor->storage = std::move(bytes);
  return tensor;
}

}  // namespace

Result<ReferenceValues> read_reference_tensors(const std::string& folder, std::vector<std::string>& warnings) {
  std::error_code error;
  std::vector<std::filesystem::path> paths;
  for (std::filesystem::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    paths.push_back(it->path());
    if (paths.size() > kMostFiles) return Error{ErrorKind::kTooLarge, "has more files than vizd looks at", folder};
  }
  if (error)
    return Error{ErrorKind::kNotFound, "is no folder of .npy files; give the one with the reference's tensors", folder};
  std::ranges::sort(paths);
  ReferenceValues values;
  std::uint64_t size_bytes = 0;
  for (const auto& path : paths) {
    const auto name = parse_name(path.filename().string());
    if (!name) continue;
    auto tensor = read_file(path.string());
    if (!tensor) {
      warnings.push_back(tensor.error().text());
      continue;
    }
    size_bytes += tensor->bytes.size();
    if (size_bytes > kMostBytes) return Error{ErrorKind::kTooLarge, "holds more than 4 GB of tensors", folder};
    ReferenceNode& node = values[name->handles];
    const std::size_t place = name->output.value_or(0);
    node.is_list = node.is_list || name->output.has_value();
    if (node.values.size() <= place) node.values.resize(place + 1);
    node.values[place] = Value{std::move(*tensor)};
  }
  return values;
}

}  // namespace vizd::inspector
