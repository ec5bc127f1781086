// Captures handed over by POST: what the guard lets through, where they come to stand, and what is refused.
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <fstream>
#include <functional>
#include <thread>
#include <utility>
#include <vector>

#include "http/child_process.h"
#include "http/raw_client.h"
#include "http/transport/guard.h"
#include "session/uploads.h"
#include "support/catch.h"
#include "support/temporary_folder.h"
#include "support/test_data.h"

namespace vizd::upload_test {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kLimit = 1000;

Request post(std::vector<Header> headers, std::string path = std::string(kUploadPath)) {
  return {.method = "POST", .path = std::move(path), .headers = std::move(headers), .query = {}};
}

int status_of(const Request& request, const GuardPolicy& policy, Secrecy secrecy = Secrecy::kPublic) {
  const auto refusal = refuse(request, policy, secrecy);
  return refusal ? refusal->status : 200;
}

TEST_CASE("the guard's table for captures that are sent") {
  const GuardPolicy policy{.most_upload_bytes = kLimit};
  const Header host{"Host", "localhost:8000"}, own{"Origin", "http://localhost:8000"},
      type{"Content-Type", "application/octet-stream"}, length{"Content-Length", "1000"};
  struct Row {
    const char* what;
    Request request;
    int status;
  };
  const Row rows[] = {
      {"from vizd's own page", post({host, own, type, length}), 200},
      {"said by the browser", post({host, own, type, length, {"Sec-Fetch-Site", "same-origin"}}), 200},
      {"by a script", post({host, type, length, {"Authorization", "Bearer x"}}), 200},
      {"from nowhere", post({host, type, length}), 403},
      {"from another site", post({host, {"Origin", "http://evil.example"}, type, length}), 403},
      {"from another port", post({host, {"Origin", "http://localhost:9000"}, type, length}), 403},
      {"from nowhere that can be named", post({host, {"Origin", "null"}, type, length}), 403},
      {"another site's script",
       post({host, {"Origin", "http://evil.example"}, type, length, {"Authorization", "Bearer x"}}), 403},
      {"two Origins", post({host, own, own, type, length}), 403},
      {"cross-site", post({host, own, type, length, {"Sec-Fetch-Site", "cross-site"}}), 403},
      {"a foreign Host", post({{"Host", "evil.example"}, own, type, length}), 421},
      {"a form", post({host, own, {"Content-Type", "text/plain"}, length}), 415},
      {"a form with a file", post({host, own, {"Content-Type", "multipart/form-data"}, length}), 415},
      {"no type", post({host, own, length}), 415},
      {"no length", post({host, own, type}), 411},
      {"a length that is none", post({host, own, type, {"Content-Length", "1e3"}}), 411},
      {"a negative one", post({host, own, type, {"Content-Length", "-1"}}), 411},
      {"two lengths", post({host, own, type, length, length}), 411},
      {"chunked", post({host, own, type, {"Transfer-Encoding", "chunked"}}), 411},
      {"chunked, with a length", post({host, own, type, length, {"Transfer-Encoding", "chunked"}}), 411},
      {"too long", post({host, own, type, {"Content-Length", "1001"}}), 413},
      {"far too long", post({host, own, type, {"Content-Length", "99999999999999999999"}}), 411},
      {"another path", post({host, own, type, length}, "/api/v1/session"), 405},
      {"a path below", post({host, own, type, length}, "/api/v1/captures/x"), 405},
      {"a Range", post({host, own, type, length, {"Range", "bytes=0-1"}}), 416},
  };
  for (const Row& row : rows) {
    INFO(row.what);
    CHECK(status_of(row.request, policy) == row.status);
  }
  for (const char* method : {"PUT", "PATCH", "DELETE", "post"}) {
    Request request = post({host, own, type, length});
    request.method = method;
    CHECK(status_of(request, policy) == 405);
  }
  CHECK(status_of(post({host, own, type, length}), {}) == 405);  // --no-upload
  GuardPolicy secret = policy;
  secret.token = "0123";
  CHECK(status_of(post({host, own, type, length}), secret, Secrecy::kNeedsToken) == 401);
  CHECK(status_of(post({host, own, type, length, {"Cookie", "vizd_8000=0123"}}), secret, Secrecy::kNeedsToken) == 200);
  CHECK(status_of(post({host, type, length, {"Authorization", "Bearer 0124"}}), secret, Secrecy::kNeedsToken) == 401);
}

// Gives the bytes in parts, and says that it has left once it was read for `most`.
Uploads::ReadSome reader(std::string_view bytes, std::size_t most = SIZE_MAX) {
  return [bytes, most, at = std::size_t{0}](char* data, std::size_t size) mutable -> std::ptrdiff_t {
    const std::size_t part = std::min({size, std::size_t{777}, std::min(bytes.size(), most) - at});
    std::copy_n(bytes.data() + at, part, data);
    at += part;
    return static_cast<std::ptrdiff_t>(part);
  };
}

TEST_CASE("a name that is sent becomes the name of a file in a folder") {
  CHECK(safe_file_name("ramp.rewrites.pkl") == "ramp.rewrites.pkl");
  CHECK(safe_file_name("../../etc/passwd") == "passwd");
  CHECK(safe_file_name("C:\\captures\\a.bin") == "a.bin");
  CHECK(safe_file_name("...") == "capture");
  CHECK(safe_file_name("") == "capture");
  CHECK(safe_file_name("a/") == "capture");
  CHECK(safe_file_name(std::string_view("a\0b\n", 4)) == "a_b_");
  CHECK(safe_file_name(std::string(500, 'x')).size() == 120);
  CHECK(safe_file_name(std::string(120, 'x')) == std::string(120, 'x'));
}

TEST_CASE("names that are alike in their first 120 bytes stay apart") {
  const TemporaryFolder cache;
  const auto uploads = Uploads::begin(cache.path());
  REQUIRE(uploads);
  const std::string bytes = read_test_data("tinygrad-2025-09/ramp.rewrites.pkl"), alike(150, 'x');
  const auto first = (*uploads)->take(alike + "1.pkl", bytes.size(), reader(bytes));
  const auto second = (*uploads)->take(alike + "2.pkl", bytes.size(), reader(bytes));
  REQUIRE((first && second));
  CHECK(*first != *second);
  CHECK(*(*uploads)->take(alike + "1.pkl", bytes.size(), reader(bytes)) == *first);
}

std::size_t files_under(const std::string& folder) {
  std::size_t files = 0;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) files += entry.is_regular_file() ? 1 : 0;
  return files;
}

TEST_CASE("what is sent stands in the folder whole, or not at all") {
  const TemporaryFolder cache;
  const std::string bytes = read_test_data("tinygrad-2025-09/ramp.rewrites.pkl");
  {
    auto uploads = Uploads::begin(cache.path());
    REQUIRE(uploads);
    const auto path = (*uploads)->take("../x/ramp.rewrites.pkl", bytes.size(), reader(bytes));
    REQUIRE(path);
    CHECK(*path == (*uploads)->folder() + "/ramp.rewrites.pkl");
    CHECK(fs::file_size(*path) == bytes.size());
    const fs::path own = fs::path((*uploads)->folder()).parent_path().parent_path();
    CHECK((fs::status(own).permissions() & fs::perms(077)) == fs::perms::none);
    CHECK((*uploads)->take("ramp.rewrites.pkl", bytes.size(), reader(bytes)));  // again: replaced
    CHECK(files_under(own.string()) == 2);                                      // with the marker

    const auto cut = (*uploads)->take("cut.pkl", bytes.size(), reader(bytes, bytes.size() / 2));
    REQUIRE(!cut);
    CHECK(cut.error().message.find("upload was incomplete") != std::string::npos);
    const auto unknown = (*uploads)->take("notes.txt", 5, reader("hello"));
    REQUIRE(!unknown);
    CHECK(unknown.error().message.find("not a format that vizd reads") != std::string::npos);
    const auto large = (*uploads)->take("large", kMostUploadBytes + 1, reader(""));
    REQUIRE(!large);
    CHECK(large.error().kind == ErrorKind::kTooLarge);
    CHECK(!(*uploads)->take("empty", 0, reader("")));
    CHECK(files_under(own.string()) == 2);
  }
  CHECK(files_under(cache.path()) == 0);
}

// Where the captures of a run lay that ended without a word.
std::string left_by_killed_run(const std::string& cache) {
  const pid_t child = ::fork();
  if (child == 0) {
    const auto uploads = Uploads::begin(cache);
    ::_exit(uploads ? 0 : 1);  // no destructor
  }
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  REQUIRE(status == 0);
  for (const auto& entry : fs::directory_iterator(cache + "/uploads")) {
    const fs::path captures = entry.path() / "contents" / "captures";
    if (fs::exists(captures)) return captures.string();
  }
  return "";
}

TEST_CASE("what a run that was killed left behind goes when the next one starts") {
  const TemporaryFolder cache;
  const std::string left = left_by_killed_run(cache.path());
  REQUIRE(fs::exists(left));
  REQUIRE(Uploads::begin(cache.path()));
  CHECK_FALSE(fs::exists(left));
  CHECK(fs::is_empty(cache.path() + "/uploads"));
}

TEST_CASE("nothing that vizd did not make is removed, nor what another vizd uses") {
  const TemporaryFolder cache;
  const fs::path uploads = fs::path(cache.path()) / "uploads";
  // Somebody's own: names like those of processes, of runs, and a marker of another folder.
  const std::string foreign = "run-00000000000000000000000000000000";
  for (const fs::path& folder : {uploads / "2019", uploads / "2147483646", uploads / foreign}) {
    fs::create_directories(folder / "contents");
    std::ofstream(folder / "thesis.txt") << "years";
    std::ofstream(folder / "contents" / "thesis.txt") << "years";
  }
  const fs::path left = left_by_killed_run(cache.path());
  fs::copy_file(left / "../../vizd-folder", uploads / foreign / "vizd-folder");
  const auto first = Uploads::begin(cache.path());
  REQUIRE(first);
  // As another process sees it, whichever numbers that counts processes by.
  const pid_t child = ::fork();
  if (child == 0) {
    static_cast<void>(Uploads::begin(cache.path()));
    ::_exit(0);
  }
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  CHECK(fs::exists((*first)->folder()));
  for (const char* name : {"2019", "2147483646", foreign.c_str()}) {
    CHECK(fs::exists(uploads / name / "thesis.txt"));
    CHECK(fs::exists(uploads / name / "contents" / "thesis.txt"));
  }
}

TEST_CASE("without a folder of its own vizd takes no uploads, and says why") {
  const TemporaryFolder here;
  const fs::path before = fs::current_path();
  fs::current_path(here.path());
  for (const char* none : {"", "relative"}) {
    const auto uploads = Uploads::begin(none);
    CHECK_FALSE(uploads);
    if (!uploads) CHECK(uploads.error().message.find("XDG_CACHE_HOME") != std::string::npos);
  }
  fs::current_path(before);
  CHECK(fs::is_empty(here.path()));
}

TEST_CASE("limits: four files are taken at once, and a fifth is told to come again") {
  const TemporaryFolder cache;
  const auto uploads = Uploads::begin(cache.path());
  REQUIRE(uploads);
  const std::string bytes = read_test_data("tinygrad-2025-09/ramp.rewrites.pkl");
  Error refused;
  // Each asks for the next while it is read itself.
  std::function<void(unsigned)> send = [&](unsigned number) {
    const auto taken = (*uploads)->take(
        "a", bytes.size(), [&, number, read = reader(bytes), asks = true](char* data, std::size_t size) mutable {
          if (std::exchange(asks, false)) send(number + 1);
          return read(data, size);
        });
    CHECK(taken.has_value() == (number <= kMostUploadsAtOnce));
    if (!taken) refused = taken.error();
  };
  send(1);
  CHECK(refused.kind == ErrorKind::kBusy);
}

TEST_CASE("what names the contents of a capture goes to a folder beside it, of whatever format it is") {
  const TemporaryFolder cache;
  const auto uploads = Uploads::begin(cache.path());
  REQUIRE(uploads);
  const std::string bytes = "{}";
  const auto send = [&](std::optional<std::string> folder) {
    return (*uploads)->take("away/notes.json", bytes.size(), reader(bytes), [&](const std::string& path) {
      CHECK(fs::file_size(path) == bytes.size());
      return folder;
    });
  };
  CHECK_FALSE(send(std::nullopt));
  CHECK(*send("") == (*uploads)->folder() + "/notes.json");
  for (int times = 0; times < 2; ++times) CHECK(*send("beside") == (*uploads)->folder() + "/beside/notes.json");
}

// Takes uploads one in the other: each is asked for while the one before it comes.
void take_within(Uploads& uploads, std::string_view name, std::uint64_t size_bytes, const std::function<void()>& then) {
  static_cast<void>(uploads.take(name, size_bytes, [&](char*, std::size_t) {
    then();
    return std::ptrdiff_t{-1};
  }));
}

TEST_CASE("limits: the room for what is sent is reserved before a byte of it comes") {
  const TemporaryFolder cache;
  const auto uploads = Uploads::begin(cache.path());
  REQUIRE(uploads);
  const std::string bytes = read_test_data("tinygrad-2025-09/ramp.rewrites.pkl");
  REQUIRE((*uploads)->take("a", bytes.size(), reader(bytes)));
  unsigned begun = 0;
  Error refused;
  // Three of 2 GiB leave room for one that is no larger than what is left beside the first one.
  take_within(**uploads, "b", kMostUploadBytes, [&] {
    take_within(**uploads, "c", kMostUploadBytes, [&] {
      take_within(**uploads, "d", kMostUploadBytes, [&] {
        begun = 3;
        const auto fourth = (*uploads)->take("e", kMostUploadBytes, reader(""));
        if (!fourth) refused = fourth.error();
        take_within(**uploads, "e", kMostUploadBytes - bytes.size(), [&] { begun = 4; });
      });
    });
  });
  CHECK(refused.kind == ErrorKind::kTooLarge);
  CHECK(refused.message.find("use all the space") != std::string::npos);
  CHECK(begun == 4);
}

TEST_CASE("what is sent again under its name counts once") {
  const TemporaryFolder cache;
  const auto uploads = Uploads::begin(cache.path());
  REQUIRE(uploads);
  const std::string bytes = read_test_data("tinygrad-2025-09/ramp.rewrites.pkl");
  for (int i = 0; i < 5; ++i) REQUIRE((*uploads)->take("a", bytes.size(), reader(bytes)));
  bool begun = false;
  take_within(**uploads, "b", kMostUploadBytes, [&] {
    take_within(**uploads, "c", kMostUploadBytes, [&] {
      take_within(**uploads, "d", kMostUploadBytes,
                  [&] { take_within(**uploads, "e", kMostUploadBytes - bytes.size(), [&] { begun = true; }); });
    });
  });
  CHECK(begun);
}

TEST_CASE("four slow uploads keep no other out: the slowest gives its place, and is told") {
  const TemporaryFolder cache;
  const auto uploads = Uploads::begin(cache.path(), std::chrono::milliseconds(0));
  REQUIRE(uploads);
  const std::string bytes = read_test_data("tinygrad-2025-09/ramp.rewrites.pkl");
  std::atomic<unsigned> coming{0};
  std::atomic<bool> others_came{false};
  std::vector<Error> errors(kMostUploadsAtOnce);
  std::vector<std::thread> slow;
  for (unsigned i = 0; i < kMostUploadsAtOnce; ++i) {
    slow.emplace_back([&, i] {
      bool counted = false;
      const auto taken = (*uploads)->take("slow", bytes.size(), [&](char* data, std::size_t) -> std::ptrdiff_t {
        if (!std::exchange(counted, true)) ++coming;
        wait_until([&] { return others_came.load(); });
        *data = 'x';
        return 1;
      });
      if (!taken) errors[i] = taken.error();
    });
  }
  REQUIRE(wait_until([&] { return coming == kMostUploadsAtOnce; }));
  for (const char* name : {"quick", "another"}) CHECK((*uploads)->take(name, bytes.size(), reader(bytes)));
  others_came = true;
  for (std::thread& one : slow) one.join();
  // The first took one's place, and the second came into the one that the first had left.
  CHECK(std::ranges::count_if(
            errors, [](const Error& e) { return e.message.find("upload was slow") != std::string::npos; }) == 1);
}

}  // namespace
}  // namespace vizd::upload_test
