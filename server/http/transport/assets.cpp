#include "http/transport/assets.h"

#include <fmt/core.h>

#include <array>
#include <filesystem>
#include <utility>

#include "base/assert.h"
#include "base/embedded.h"
#include "base/mapped_file.h"
#include "system/process.h"

namespace vizd {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostFiles = 1000;
constexpr std::uintmax_t kMostBytes = std::uintmax_t{64} << 20;

constexpr std::array<std::pair<std::string_view, std::string_view>, 11> kTypes{{
    {".html", "text/html; charset=utf-8"},
    {".js", "text/javascript; charset=utf-8"},
    {".css", "text/css; charset=utf-8"},
    {".json", "application/json"},
    {".map", "application/json"},
    {".svg", "image/svg+xml"},
    {".png", "image/png"},
    {".ico", "image/x-icon"},
    {".woff2", "font/woff2"},
    {".wasm", "application/wasm"},
    {".txt", "text/plain; charset=utf-8"},
}};

std::string_view type_of(const fs::path& path) {
  const std::string suffix = path.extension().string();
  for (const auto& [name, type] : kTypes) {
    if (suffix == name) return type;
  }
  return "application/octet-stream";
}

// FNV-1a: tells versions of our own files apart, no more.
std::uint64_t hash(std::string_view bytes) {
  std::uint64_t value = 0xcbf29ce484222325u;
  for (const char byte : bytes) value = (value ^ static_cast<unsigned char>(byte)) * 0x100000001b3u;
  return value;
}

Error folder_error(const std::string& folder, std::string message) {
  return {ErrorKind::kNotFound, std::move(message), folder};
}

}  // namespace

Result<Assets::Table> Assets::read(const std::string& folder) {
  Table table;
  std::uintmax_t total_bytes = 0;
  std::error_code failed;
  for (fs::recursive_directory_iterator it(folder, failed), end; !failed && it != end; it.increment(failed)) {
    if (!it->is_regular_file(failed) || it->is_symlink(failed)) continue;
    total_bytes += it->file_size(failed);
    if (table.size() >= kMostFiles || total_bytes > kMostBytes)
      return folder_error(folder, "is too large to be vizd's page; build it with scripts/build");
    auto file = MappedFile::open(it->path().string());
    if (!file) return file.error();
    const auto bytes = file->bytes();
    add(table, fs::relative(it->path(), folder, failed).generic_string(),
        std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
  }
  if (failed) return folder_error(folder, fmt::format("cannot be read: {}", failed.message()));
  if (!table.contains("/")) return folder_error(folder, "has no index.html; build the page with scripts/build");
  return table;
}

void Assets::add(Table& table, const std::string& path, std::string text) {
  Asset asset{.content_type = std::string(type_of(path)),
              .etag = fmt::format("W/\"{:016x}\"", hash(text)),
              .body = std::make_shared<const Body>(std::move(text))};
  if (path == "index.html") table["/"] = asset;
  table.emplace("/" + path, std::move(asset));
}

Assets Assets::embedded() {
  Assets assets;
  for (auto& [path, text] : unpack(kEmbeddedPage)) add(assets.table_, path, std::move(text));
  VIZD_ASSERT(assets.table_.contains("/"));
  return assets;
}

Result<Assets> Assets::load(const std::string& folder, bool reread) {
  auto table = read(folder);
  if (!table) return table.error();
  Assets assets;
  assets.folder_ = folder;
  assets.reread_ = reread;
  assets.table_ = std::move(*table);
  return assets;
}

void Assets::compress() const {
  for (const auto& [path, asset] : table_) {
    if (!reread_) asset.body->compress_hard();
  }
}

std::optional<Response> Assets::answer(const Request& request) const {
  Table fresh;
  if (reread_) {
    if (auto table = read(folder_)) fresh = std::move(*table);
  }
  const Table& table = reread_ ? fresh : table_;
  const auto found = table.find(request.path);
  if (found == table.end()) return std::nullopt;
  // A browser asks for the icon again at each change of the URL, and the page keeps its place there.
  const std::string cached = request.path.ends_with(".svg") ? "max-age=3600" : "no-cache";
  Response response{.content_type = found->second.content_type,
                    .headers = {{"ETag", found->second.etag}, {"Cache-Control", cached}},
                    .body = found->second.body};
  if (request.header("If-None-Match").find(found->second.etag) != std::string_view::npos) {
    response.status = 304;
    response.body = nullptr;
  }
  return response;
}

std::string Assets::revision() const {
  std::string all;
  if (const auto table = read(folder_)) {
    for (const auto& [path, asset] : *table) all += path + asset.etag;
  }
  return fmt::format("{:016x}", hash(all));
}

std::string find_web_folder() {
  const fs::path program = own_program();
  if (program.empty()) return "";
  std::error_code failed;
  const fs::path beside = program.parent_path();
  const fs::path page = (beside / "../web").lexically_normal();
  const bool is_build = fs::exists(beside / "CMakeCache.txt", failed) && fs::exists(page / "index.html", failed);
  return is_build ? page.string() : "";
}

}  // namespace vizd
