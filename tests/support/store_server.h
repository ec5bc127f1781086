// StoreServer: a ClickHouse of a test's own: on loopback, on free ports, with a configuration and data in a temporary
// folder. Killed with the object. And Cluster: two of them that know each other.
#pragma once

#include <arpa/inet.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include "store/client.h"
#include "support/temporary_folder.h"

namespace vizd {

inline std::string clickhouse_program() {
  for (const char* path :
       {"/usr/sbin/clickhouse-server", "/usr/bin/clickhouse-server", "/usr/local/bin/clickhouse-server"}) {
    if (std::filesystem::exists(path)) return path;
  }
  return "";
}

// Free now.
inline int free_port() {
  const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  const bool bound = ::bind(fd, reinterpret_cast<sockaddr*>(&address), size) == 0 &&
                     ::getsockname(fd, reinterpret_cast<sockaddr*>(&address), &size) == 0;
  ::close(fd);
  return bound ? ntohs(address.sin_port) : 0;
}

class StoreServer {
 public:
  struct Ports {
    int http = free_port(), native = free_port(), replicas = free_port();
  };

  StoreServer() : StoreServer(Ports(), {}) {}
  // natives: the native ports of the servers of the cluster "all". more: of the configuration.
  StoreServer(const Ports& ports, const std::vector<int>& natives, const std::string& more = "") : ports_(ports) {
    const std::string users =
        "<yandex><profiles><default><max_memory_usage>4000000000</max_memory_usage></default></"
        "profiles><users><default>"
        "<password></password><networks><ip>127.0.0.1</ip></networks><profile>default</profile><quota>default</quota>"
        "</default><reader><password>pass'word</password><networks><ip>127.0.0.1</ip></networks><profile>default"
        "</profile><quota>default</quota></reader></users><quotas><default></default></quotas></yandex>";
    std::string shards;
    for (const int port : natives)
      shards += fmt::format("<shard><replica><host>127.0.0.1</host><port>{}</port></replica></shard>", port);
    for (const char* name : {"data", "tmp", "files"}) std::filesystem::create_directories(folder_ / name);
    folder_.write("users.xml", users);
    folder_.write(
        "config.xml",
        fmt::format(
            "<yandex><logger><level>warning</level><log>{0}/log</log><errorlog>{0}/errors</errorlog></logger>"
            "<http_port>{1}</http_port><tcp_port>{2}</tcp_port><interserver_http_port>{3}"
            "</interserver_http_port><listen_host>127.0.0.1</listen_host><path>{0}/data/</path><tmp_path>{0}/tmp/"
            "</tmp_path><user_files_path>{0}/files/</user_files_path><users_config>{0}/users.xml</users_config>"
            "<default_profile>default</default_profile><default_database>default</default_database>"
            "<mark_cache_size>268435456</mark_cache_size><uncompressed_cache_size>1000000"
            "</uncompressed_cache_size><keep_alive_timeout>10</keep_alive_timeout>"
            "<remote_servers><all>{4}</all></remote_servers>{5}</yandex>",
            folder_.path(), ports_.http, ports_.native, ports_.replicas, shards, more));
    start();
  }
  StoreServer(const StoreServer&) = delete;
  StoreServer& operator=(const StoreServer&) = delete;
  ~StoreServer() { kill(); }

  // Starts it again, with what it has kept, and waits until it answers.
  void start() {
    std::vector<std::string> words{clickhouse_program(), "--config-file=" + (folder_ / "config.xml")};
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    for (const int fd : {STDOUT_FILENO, STDERR_FILENO})
      posix_spawn_file_actions_addopen(&actions, fd, (folder_ / "output").c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600);
    ::posix_spawn(&process_, words[0].c_str(), &actions, nullptr, arguments.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    while (std::chrono::steady_clock::now() < until) {
      if (client().ask_server("SELECT 1")) return;
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
  }
  // At once, as a machine that fails.
  void kill() {
    if (process_ <= 0) return;
    ::kill(process_, SIGKILL);
    ::waitpid(process_, nullptr, 0);
    process_ = 0;
  }

  store::StoreAddress address() const { return {"127.0.0.1", ports_.http, "fleet"}; }
  std::string url() const { return address().text(); }
  store::Client client() const { return {address(), {}}; }

 private:
  TemporaryFolder folder_;
  Ports ports_;
  pid_t process_ = 0;
};

}  // namespace vizd
