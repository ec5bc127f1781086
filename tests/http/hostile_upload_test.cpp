// Captures of strangers, sent to a running vizd and looked at in every way: it answers, keeps its memory and ends as it
// should, whatever they are.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "http/child_process.h"
#include "http/raw_client.h"
#include "support/catch.h"
#include "support/examples.h"
#include "support/packed.h"
#include "support/places.h"
#include "support/temporary_folder.h"

namespace vizd::hostile_upload_test {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

struct HostileFile {
  std::string name, bytes;
};

std::string bytes_of(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

// A good file, and what an enemy may make of it.
void add_broken(const std::string& name, const std::string& good, std::vector<HostileFile>& files) {
  files.push_back({name, good});
  files.push_back({"half-" + name, good.substr(0, good.size() / 2)});
  files.push_back({"twice-" + name, good + good});
  for (std::size_t i = 1; i <= 4; ++i) {
    std::string flipped = good;
    for (std::size_t at = flipped.size() * i / 5; at < flipped.size(); at += flipped.size() / 3 + 1)
      flipped[at] = static_cast<char>(~flipped[at]);
    files.push_back({"flipped" + std::to_string(i) + "-" + name, flipped});
  }
  files.push_back({"packed-" + name + ".gz", gzipped(good)});
  files.push_back({"half-packed-" + name + ".zst", zstd_packed(good).substr(0, zstd_packed(good).size() / 2)});
}

std::vector<HostileFile> hostile_files() {
  std::vector<HostileFile> files;
  const fs::path tests = fs::path(test_data()).parent_path();
  for (const auto& reader : fs::directory_iterator(tests / "fuzz/corpus")) {
    for (const auto& entry : fs::directory_iterator(reader))
      files.push_back(
          {reader.path().filename().string() + "-" + entry.path().filename().string(), bytes_of(entry.path())});
  }
  for (const Example& example : all_examples()) {
    for (const std::string& path : example.paths)
      add_broken(std::string(example.format->name) + "-" + fs::path(path).filename().string(), bytes_of(path), files);
  }
  const std::string zeros(std::size_t{100} << 20, '\0');
  files.push_back({"bomb.gz", gzipped("{\"traceEvents\":[" + zeros)});
  files.push_back({"bomb.zst", zstd_packed("{\"traceEvents\":[" + zeros)});
  const std::string deep(1'000'000, '[');
  files.push_back({"deep.json", "{\"traceEvents\":[" + deep});
  files.push_back(
      {"deep-arguments.json", R"({"traceEvents":[{"ph":"X","ts":1,"dur":1,"name":"a","args":{"a":)" + deep});
  files.push_back({"deep.pkl", "\x80\x04" + std::string(1'000'000, ']') + "."});
  files.push_back({"../../../../tmp/outside.json", R"({"traceEvents":[]})"});
  return files;
}

class Served {
 public:
  Served() : process_({"--port", "0", "--no-token", "--log-level", "silent"}, environment()) {
    REQUIRE(process_.wait_for_line());
    const std::string& url = process_.standard_output;
    port_ = std::stoi(url.substr(url.rfind(':') + 1));
  }

  // 0: no answer.
  int post(const HostileFile& file) const {
    RawClient client(port_);
    const std::string origin = "localhost:" + std::to_string(port_);
    client.send("POST /api/v1/captures?name=" + file.name + " HTTP/1.1\r\nHost: " + origin + "\r\nOrigin: http://" +
                origin + "\r\nContent-Type: application/octet-stream\r\nConnection: close\r\nContent-Length: " +
                std::to_string(file.bytes.size()) + "\r\n\r\n");
    client.send(file.bytes);
    client.read_to_end();
    return client.status();
  }
  // The answer, once its status was looked at.
  std::string get(const std::string& path) const {
    RawClient client(port_);
    client.send("GET " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
    client.read_to_end();
    INFO(path);
    CHECK(client.status() >= 200);
    CHECK((client.status() < 500 || client.status() == 503));
    return client.status() == 200 ? client.body() : "";
  }
  // Once nothing is being read any more.
  Json captures() const {
    for (int attempt = 0;; ++attempt) {
      const Json captures = Json::parse(get("/api/v1/session"))["captures"];
      const bool is_reading = std::ranges::any_of(captures, [](const Json& capture) {
        return std::ranges::any_of(capture["files"], [](const Json& file) { return file["status"] == "loading"; });
      });
      if (!is_reading || attempt == 600) {
        CHECK_FALSE(is_reading);
        return captures;
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
    }
  }
  std::uint64_t resident_bytes() const {
    const std::string metrics = get("/metrics"), name = "\nprocess_resident_memory_bytes ";
    const auto at = metrics.find(name);
    REQUIRE(at != std::string::npos);
    return std::stoull(metrics.substr(at + name.size()));
  }
  int end() {
    process_.send_signal(SIGTERM);
    return process_.wait_for_end();
  }
  const std::string& cache() const { return cache_path_; }

 private:
  std::vector<std::string> environment() const {
    return {"XDG_CACHE_HOME=" + cache_.path(), "XDG_STATE_HOME=" + cache_.path(), "TMPDIR=" + cache_.path(),
            "USER=nobody"};
  }

  const TemporaryFolder cache_;
  const std::string cache_path_ = cache_.path();
  ChildProcess process_;
  int port_ = 0;
};

// All that the page asks of a capture when it is opened, and some more.
void look_at(const Served& vizd, const std::string& id) {
  const std::string of = "?capture=" + id;
  for (const char* path : {"/api/v1/contexts", "/api/v1/lanes", "/api/v1/rules", "/api/v1/programs", "/api/v1/memory",
                           "/api/v1/stacks", "/api/v1/at", "/ctxs", "/get_profile"})
    vizd.get(path + of);
  for (const char* path : {"/api/v1/match/0/0/1", "/api/v1/text/0/0/0", "/api/v1/rewrites/0/0", "/api/v1/focus/0/0/0",
                           "/api/v1/event/0/0", "/api/v1/node/0/0/0"})
    vizd.get(path + of);
  vizd.get("/api/v1/search/0/0" + of + "&q=fanout%3E2");
  vizd.get("/api/v1/events/search" + of + "&q=a");
  vizd.get("/api/v1/range" + of + "&from=0&to=1000000000");
}

TEST_CASE("captures of strangers, sent to a running server, end in an answer") {
  Served vizd;
  std::size_t taken = 0;
  for (const HostileFile& file : hostile_files()) {
    INFO(file.name);
    const int status = vizd.post(file);
    CHECK(status >= 200);
    CHECK(status < 500);
    taken += status == 200 ? 1 : 0;
  }
  CHECK(taken > 20);
  const Json captures = vizd.captures();
  std::size_t opened = 0;
  for (const Json& capture : captures) {
    opened += capture["has_rewrites"] == true || capture["has_profile"] == true ? 1 : 0;
    look_at(vizd, capture["id"]);
  }
  CHECK(opened > 5);
  CHECK(vizd.resident_bytes() < std::uint64_t{1500} << 20);
  CHECK_FALSE(fs::exists("/tmp/outside.json"));
  CHECK(vizd.end() == 0);
  const std::string uploads = vizd.cache() + "/vizd/uploads";
  CHECK((!fs::exists(uploads) || fs::is_empty(uploads)));
}

}  // namespace
}  // namespace vizd::hostile_upload_test
