// The first twelve questions of query/examples.h as a store is asked them: of every rank of a job, which comes before
// the question's own columns. Where ClickHouse 18.16 has no words for one as SQLite is asked it (window functions,
// joins of three tables), it is asked in others; the answers are the same. Any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace vizd::store {

struct Question {
  std::string_view question;
  std::string query;
};

// In the order of sql::examples().
std::vector<Question> questions(const std::string& job);

}  // namespace vizd::store
