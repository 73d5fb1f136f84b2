//===- TempFolder.cpp - A folder and small files for one test -===//

#include "test/unit/link/TempFolder.h"

#include "gtest/gtest.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace pi::test;

TempFolder::TempFolder() : path(testing::TempDir() + "pi-link-XXXXXX") {
  EXPECT_NE(mkdtemp(path.data()), nullptr);
}

TempFolder::~TempFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path, ignored);
}

std::vector<std::string> TempFolder::list() const {
  std::vector<std::string> names;
  for (const auto &entry : std::filesystem::directory_iterator(path))
    names.push_back(entry.path().filename());
  std::sort(names.begin(), names.end());
  return names;
}

void pi::test::writeFile(const std::string &path, const std::string &bytes) {
  std::ofstream file(path, std::ios::binary);
  file.write(bytes.data(), bytes.size());
  ASSERT_TRUE(file.flush()) << path;
}

std::string pi::test::readFile(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  EXPECT_TRUE(file) << path;
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

std::string pi::test::runProgram(const std::vector<std::string> &command, int &status) {
  int ends[2];
  EXPECT_EQ(pipe(ends), 0);
  pid_t child = fork();
  if (child == 0) {
    dup2(ends[1], STDOUT_FILENO);
    std::vector<char *> args;
    for (const std::string &arg : command)
      args.push_back(const_cast<char *>(arg.c_str()));
    args.push_back(nullptr);
    char *environment[] = {nullptr};
    execve(args[0], args.data(), environment);
    _exit(127);
  }
  close(ends[1]);
  std::string output;
  char buffer[4096];
  for (ssize_t count; (count = read(ends[0], buffer, sizeof(buffer))) > 0;)
    output.append(buffer, count);
  close(ends[0]);
  int state = 0;
  waitpid(child, &state, 0);
  status = WIFEXITED(state) ? WEXITSTATUS(state) : -1;
  return output;
}
