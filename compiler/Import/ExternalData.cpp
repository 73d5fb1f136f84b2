//===- ExternalData.cpp - Which external data files may be read -===//

#include "compiler/Import/ExternalData.h"

#include <filesystem>
#include <sys/stat.h>
#include <system_error>

using namespace pi::onnxfile;
namespace fs = std::filesystem;

ExternalFiles::ExternalFiles(const std::string &modelPath, std::string what)
    : what(std::move(what)) {
  std::error_code ignored; // an empty folder holds no file: every location is refused
  fs::path model(modelPath);
  fs::path parent = model.has_parent_path() ? model.parent_path() : fs::path(".");
  folder = fs::canonical(parent, ignored).string();
  targetFolder = fs::canonical(model, ignored).parent_path().string();
}

const ExternalFile &ExternalFiles::resolve(std::string_view location) {
  auto found = files.find(location);
  if (found == files.end())
    found = files.emplace(std::string(location), check(std::string(location))).first;
  return found->second;
}

/// Whether `path` lies in `folder`, both canonical.
static bool isInside(const fs::path &path, const fs::path &folder) {
  auto p = path.begin();
  for (const fs::path &part : folder) {
    if (part.empty()) // trailing slash
      continue;
    if (p == path.end() || *p != part)
      return false;
    ++p;
  }
  return p != path.end();
}

ExternalFile ExternalFiles::check(const std::string &location) const {
  ExternalFile file;
  auto refuse = [&](const std::string &why) {
    file.error = what + " '" + location + "' " + why;
    return file;
  };
  fs::path relative(location);
  if (location.empty() || location.find('\0') != std::string::npos)
    return refuse("has no usable name");
  if (relative.is_absolute())
    return refuse("has an absolute path; only files in the model's folder are read");
  for (const fs::path &part : relative)
    if (part == "..")
      return refuse("lies outside the model's folder");
  if (folder.empty())
    return refuse("cannot be found: the model's folder cannot be resolved");

  std::error_code error;
  fs::path real = fs::canonical(fs::path(folder) / relative, error);
  if (error)
    return refuse("cannot be opened: " + error.message());
  if (!isInside(real, folder) && real.parent_path() != fs::path(targetFolder))
    return refuse("is a link that leads outside the model's folder");
  struct stat info;
  if (stat(real.c_str(), &info) != 0 || !S_ISREG(info.st_mode))
    return refuse("is not a regular file");
  file.path = real.string();
  file.bytes = static_cast<uint64_t>(info.st_size);
  return file;
}
