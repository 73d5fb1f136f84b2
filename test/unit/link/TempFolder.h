//===- TempFolder.h - A folder and small files for one test -===//

#ifndef PI_TEST_UNIT_LINK_TEMPFOLDER_H
#define PI_TEST_UNIT_LINK_TEMPFOLDER_H

#include <string>
#include <vector>

namespace pi::test {

/// A new folder, removed with all it holds at the end.
class TempFolder {
public:
  TempFolder();
  TempFolder(const TempFolder &) = delete;
  TempFolder &operator=(const TempFolder &) = delete;
  ~TempFolder();

  std::string operator/(const std::string &name) const { return path + "/" + name; }
  const std::string &getPath() const { return path; }
  /// Names in the folder, sorted.
  std::vector<std::string> list() const;

private:
  std::string path;
};

void writeFile(const std::string &path, const std::string &bytes);
std::string readFile(const std::string &path);

/// Runs `command` without an environment. Returns its standard output, and its exit
/// status (-1 where it was killed) in `status`.
std::string runProgram(const std::vector<std::string> &command, int &status);

} // namespace pi::test

#endif // PI_TEST_UNIT_LINK_TEMPFOLDER_H
