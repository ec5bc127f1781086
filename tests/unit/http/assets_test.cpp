#include "http/transport/assets.h"

#include <regex>

#include "support/catch.h"
#include "support/temporary_folder.h"

namespace vizd::assets_test {

namespace {

Request get(const std::string& path, std::vector<Header> headers = {}) {
  return {.method = "GET", .path = path, .headers = std::move(headers), .query = {}};
}

}  // namespace

TEST_CASE("assets are an exact table, and no path leads out of it") {
  TemporaryFolder folder;
  std::filesystem::create_directories(folder / "web/js");
  folder.write("web/index.html", "<!doctype html>");
  folder.write("web/js/main.js", "let x;");
  folder.write("secret.txt", "secret");
  std::filesystem::create_symlink(folder / "secret.txt", folder / "web/secret.txt");
  const auto assets = Assets::load(folder / "web", false);
  REQUIRE(assets);
  CHECK(assets->answer(get("/"))->body->bytes() == "<!doctype html>");
  CHECK(assets->answer(get("/js/main.js"))->content_type == "text/javascript; charset=utf-8");
  for (const char* path : {"", "/js", "/js/", "/JS/main.js", "/../secret.txt", "/js/../index.html", "//index.html",
                           "/secret.txt", "/index.html/"}) {
    INFO(path);
    CHECK_FALSE(assets->answer(get(path)));
  }
}

TEST_CASE("an asset that the client has is not sent again") {
  TemporaryFolder folder;
  folder.write("index.html", "one");
  const auto assets = Assets::load(folder.path(), true);
  REQUIRE(assets);
  const std::string etag = assets->answer(get("/"))->headers[0].value;
  CHECK(assets->answer(get("/", {{"If-None-Match", etag}}))->status == 304);
  CHECK_FALSE(assets->answer(get("/", {{"If-None-Match", etag}}))->body);
  const std::string revision = assets->revision();
  folder.write("index.html", "two");
  CHECK(assets->answer(get("/", {{"If-None-Match", etag}}))->body->bytes() == "two");
  CHECK(assets->revision() != revision);
}

TEST_CASE("a folder that is no page is refused") {
  TemporaryFolder folder;
  CHECK_FALSE(Assets::load(folder.path(), false));
  CHECK_FALSE(Assets::load(folder / "none", false));
}

TEST_CASE("the page that the program carries is whole") {
  const Assets assets = Assets::embedded();
  const auto index = assets.answer(get("/"));
  REQUIRE(index);
  CHECK(index->content_type == "text/html; charset=utf-8");
  const std::string html(index->body->bytes());
  const std::regex named("(?:href|src)=\"([^\":]*)\"");
  std::size_t count = 0;
  for (std::sregex_iterator it(html.begin(), html.end(), named), end; it != end; ++it, ++count) {
    const std::string path = '/' + (*it)[1].str();  // the page names its parts by where it lies itself
    INFO(path);
    const auto part = assets.answer(get(path));
    REQUIRE(part);
    CHECK_FALSE(part->body->bytes().empty());
    CHECK(assets.answer(get(path, {{"If-None-Match", part->headers[0].value}}))->status == 304);
  }
  CHECK(count >= 4);
}

}  // namespace vizd::assets_test
