#include "store/client.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "base/percent_text.h"

namespace vizd::store {
namespace {

constexpr std::chrono::seconds kInsertTime{120};
// The server ends a query at its limit by itself; this much later it is taken for dead.
constexpr std::chrono::seconds kGrace{10};
constexpr std::size_t kMostErrorBytes = 1000;

// ClickHouse's numbers of what the caller may do something about.
constexpr int kTimeoutExceeded = 159, kTooSlow = 160, kQueryIsRunning = 216, kMemoryExceeded = 241, kTooManyParts = 252,
              kTooManyQueries = 202, kWrongPassword = 193, kUnknownUser = 192, kRequiredPassword = 194,
              kAuthenticationFailed = 516, kTooManyRows = 158, kTooManyRowsOrBytes = 396, kNetwork = 210,
              kNoReplica = 279, kUnknownDatabase = 81, kUnknownTable = 60;

// "Code: 62, e.displayText() = DB::Exception: Syntax error: …, e.what() = DB::Exception", and later versions'
// "Code: 62. DB::Exception: … (SYNTAX_ERROR) (version …)", as the number and the words.
std::pair<int, std::string> parse_failure(std::string_view body) {
  body = body.substr(0, kMostErrorBytes);
  int code = 0;
  constexpr std::string_view kCode = "Code: ", kWords = "DB::Exception: ";
  if (const auto at = body.find(kCode); at != std::string_view::npos)
    std::from_chars(body.data() + at + kCode.size(), body.data() + body.size(), code);
  if (const auto at = body.find(kWords); at != std::string_view::npos) body.remove_prefix(at + kWords.size());
  body = body.substr(0, std::min(body.find(", e.what() = "), body.find(" (version ")));
  while (!body.empty() && (body.back() == '\n' || body.back() == '.')) body.remove_suffix(1);
  std::string words;
  for (const char c : body) words += static_cast<unsigned char>(c) < ' ' ? ' ' : c;
  return {code, words};
}

Error failure_of(int status, std::string_view body, const std::string& where) {
  const auto [code, words] = parse_failure(body);
  switch (code) {
    case kQueryIsRunning:
      return {ErrorKind::kBusy, "the store is still at work on an earlier request for the same", where};
    case kTooManyQueries:
    case kTooManyParts:
    case kNetwork:
    case kNoReplica:
      return {ErrorKind::kBusy, fmt::format("the store cannot now: {}", words), where};
    case kTimeoutExceeded:
    case kTooSlow:
    case kTooManyRows:
    case kTooManyRowsOrBytes:
    case kMemoryExceeded:
      return {ErrorKind::kTooLarge, fmt::format("takes more than it may; ask for less of it ({})", words), where};
    case kWrongPassword:
    case kUnknownUser:
    case kRequiredPassword:
    case kAuthenticationFailed:
      return {ErrorKind::kForbidden,
              "the store does not let this user in; set VIZD_STORE_USER and VIZD_STORE_PASSWORD, or --store-user-file",
              where};
    case kUnknownDatabase:
    case kUnknownTable:
      return {ErrorKind::kNotFound, fmt::format("{} (`vizd push` makes what is missing)", words), where};
    default:
      break;
  }
  if (words.empty() || code == 0)
    return {ErrorKind::kInternal, fmt::format("answers like no ClickHouse: status {}", status), where};
  return {ErrorKind::kBadInput, fmt::format("{} (ClickHouse's error {})", words, code), where};
}

}  // namespace

Client::Client(StoreAddress address, Credentials credentials, std::stop_token left)
    : address_(std::move(address)),
      credentials_(std::move(credentials)),
      left_(std::move(left)),
      connection_(std::make_unique<HttpConnection>(address_, credentials_.ca_file)) {}

Client::~Client() = default;
Client::Client(Client&&) noexcept = default;

Result<std::string> Client::send(const Parameters& parameters, std::string_view body, std::chrono::seconds time,
                                 std::size_t most_bytes) {
  std::string target = "/";
  for (const auto& [name, value] : parameters)
    target += fmt::format("{}{}={}", target.size() == 1 ? "?" : "&", name, percent_encoded(value, "_"));
  std::string headers = "Content-Type: application/octet-stream\r\n";
  if (!credentials_.user.empty())
    headers +=
        fmt::format("X-ClickHouse-User: {}\r\nX-ClickHouse-Key: {}\r\n", credentials_.user, credentials_.password);
  auto answer = connection_->post(target, headers, body, {.time = time, .most_bytes = most_bytes, .left = left_});
  if (!answer) return std::move(answer).error();
  if (answer->status != 200) return failure_of(answer->status, answer->body, address_.text());
  return std::move(answer->body);
}

Result<std::string> Client::ask(std::string_view sql, const Limits& limits) {
  Parameters parameters{{"database", address_.database},
                        {"wait_end_of_query", "1"},
                        {"output_format_json_quote_64bit_integers", "0"},
                        {"max_execution_time", std::to_string(limits.time.count())}};
  if (limits.rows > 0) {
    parameters.emplace_back("max_result_rows", std::to_string(limits.rows));
    parameters.emplace_back("result_overflow_mode", "break");
  }
  if (limits.is_read_only) parameters.emplace_back("readonly", "1");  // last: no setting is taken after it
  return send(parameters, sql, limits.time + kGrace, limits.answer_bytes);
}

Result<std::string> Client::ask_server(std::string_view sql) {
  return send({{"wait_end_of_query", "1"}}, sql, Limits{}.time, Limits{}.answer_bytes);
}

Result<void> Client::insert(std::string_view sql, std::string_view frame, std::string_view query_id) {
  const Parameters parameters{
      {"database", address_.database},
      {"query", std::string(sql)},
      {"query_id", std::string(query_id)},
      {"decompress", "1"},
      {"http_native_compression_disable_checksumming_on_decompress", "1"},
      {"max_insert_block_size", "1048576"},  // more rows than any frame has: one block, one part
      {"insert_distributed_sync", "1"}};
  VIZD_TRY(send(parameters, frame, kInsertTime, kMostErrorBytes * 100));
  return {};
}

}  // namespace vizd::store
