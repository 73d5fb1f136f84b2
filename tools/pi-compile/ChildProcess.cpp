//===- ChildProcess.cpp - A program that is run and waited for -===//

#include "tools/pi-compile/ChildProcess.h"

#include <atomic>
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

using namespace pi;

/// Of the one child there can be; 0: none. Signal handlers know nothing else.
static std::atomic<pid_t> child{0};

void pi::signalChild(int signal) {
  if (pid_t pid = child.load())
    kill(pid, signal);
}

/// Begins the program; returns 0 or an errno value.
static int spawn(llvm::ArrayRef<std::string> args, pid_t &pid) {
  std::vector<char *> argv;
  for (const std::string &arg : args)
    argv.push_back(const_cast<char *>(arg.c_str()));
  argv.push_back(nullptr);
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t defaults;
  sigemptyset(&defaults);
  for (int signal : {SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGXFSZ})
    sigaddset(&defaults, signal); // also those that we ignore
  posix_spawnattr_setsigdefault(&attributes, &defaults);
  posix_spawnattr_setpgroup(&attributes, 0);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF);
  int error = posix_spawn(&pid, argv[0], &files, &attributes, argv.data(), environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&files);
  return error;
}

int pi::runChild(llvm::ArrayRef<std::string> args) {
  // A signal that comes before the child is known must not be lost to it.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  pid_t pid = 0;
  int error = spawn(args, pid);
  if (error == 0)
    child.store(pid);
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  if (error != 0) {
    errno = error;
    return -1;
  }
  int status = 0;
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
    continue;
  child.store(0);
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}
