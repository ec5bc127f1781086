// Assets: the page's files as an exact table from URL path to bytes, read once at start: no URL is ever a path.
// Shared between threads.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "http/transport/message.h"

namespace vizd {

class Assets {
 public:
  struct Asset {
    std::string content_type;
    std::string etag;
    std::shared_ptr<const Body> body;
  };

  // Reads every regular file under folder; links are left out. With reread the folder is read again at each request,
  // for work on the page. Errors: the folder cannot be read, has no index.html, or is no page (too many, too large).
  static Result<Assets> load(const std::string& folder, bool reread);
  // The page that the program carries.
  static Assets embedded();

  // Compresses what is served from memory, as small as is worth its time. Answers before that are compressed quickly.
  void compress() const;

  // The answer for a path ("/" is index.html), 304 where the client has it; none where there is no such asset.
  std::optional<Response> answer(const Request& request) const;
  // Changes when any file does; only with reread.
  std::string revision() const;

 private:
  using Table = std::map<std::string, Asset, std::less<>>;
  static Result<Table> read(const std::string& folder);
  // path: below the page's root, "app.js".
  static void add(Table& table, const std::string& path, std::string text);

  std::string folder_;
  bool reread_ = false;
  Table table_;
};

// Where the page lies on disk: build/web, for a program in the folder that it was built in. Elsewhere empty: what lies
// beside an installed program is not vizd's.
std::string find_web_folder();

}  // namespace vizd
