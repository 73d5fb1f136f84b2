//===- Process.cpp - Runs a program and keeps what it prints --------------===//

#include "Process.h"

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace pi::test {

TempFolder::TempFolder() {
  std::string pattern = std::filesystem::temp_directory_path().string() + "/pi-runtime-XXXXXX";
  path = mkdtemp(pattern.data());
}

TempFolder::~TempFolder() { std::filesystem::remove_all(path); }

std::string readAll(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream bytes;
  bytes << file.rdbuf();
  return bytes.str();
}

void writeAll(const std::string &path, const std::string &bytes) {
  std::ofstream(path, std::ios::binary).write(bytes.data(), std::streamsize(bytes.size()));
  std::filesystem::permissions(path, std::filesystem::perms(0755));
}

ProcessResult run(const std::string &program, const std::vector<std::string> &arguments) {
  TempFolder folder;
  std::vector<char *> argv = {const_cast<char *>(program.c_str())};
  for (const std::string &argument : arguments)
    argv.push_back(const_cast<char *>(argument.c_str()));
  argv.push_back(nullptr);
  std::string out = folder.file("out"), err = folder.file("err");
  pid_t child = fork();
  if (child == 0) {
    dup2(open("/dev/null", O_RDONLY), 0);
    dup2(open(out.c_str(), O_WRONLY | O_CREAT, 0600), 1);
    dup2(open(err.c_str(), O_WRONLY | O_CREAT, 0600), 2);
    signal(SIGINT, SIG_DFL); // a test runner in the background has it ignored
    execv(argv[0], argv.data());
    _exit(127);
  }
  int status = 0;
  waitpid(child, &status, 0);
  int code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return {code, readAll(out), readAll(err)};
}

ProcessResult runShell(const std::string &program, const std::string &command) {
  return run("/bin/bash", {"-c", command, program});
}

} // namespace pi::test
