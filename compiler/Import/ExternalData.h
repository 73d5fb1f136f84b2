//===- ExternalData.h - Which external data files may be read -===//

#ifndef PI_COMPILER_IMPORT_EXTERNALDATA_H
#define PI_COMPILER_IMPORT_EXTERNALDATA_H

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace pi::onnxfile {

/// A checked external data file.
struct ExternalFile {
  std::string path; // canonical, absolute
  uint64_t bytes = 0;
  std::string error; // empty: usable
};

/// Resolves `location` entries of one model. A file may be read where its location is
/// relative, has no "..", and lies in the model's folder after following symbolic
/// links; or, as in the cache of Hugging Face, where model and data are links into one
/// folder.
class ExternalFiles {
public:
  /// `what`: how messages call a file.
  explicit ExternalFiles(const std::string &modelPath, std::string what = "external data file");

  /// Linear in the path's length at first sight of a location, then a look-up.
  const ExternalFile &resolve(std::string_view location);

private:
  ExternalFile check(const std::string &location) const;

  std::string what;
  std::string folder;       // canonical folder that holds the model's name
  std::string targetFolder; // canonical folder that holds the model's bytes
  std::map<std::string, ExternalFile, std::less<>> files;
};

} // namespace pi::onnxfile

#endif // PI_COMPILER_IMPORT_EXTERNALDATA_H
