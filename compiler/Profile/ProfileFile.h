//===- ProfileFile.h - Profiles in files (.piprof) -===//
// The format is in docs/profile-format.md.

#ifndef PI_COMPILER_PROFILE_PROFILEFILE_H
#define PI_COMPILER_PROFILE_PROFILEFILE_H

#include "compiler/Profile/Profile.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <string>

namespace pi {

/// The version that is written, and the only one that is read.
constexpr uint32_t kProfileVersion = 1;

/// Whether to keep the samples of a file, which can be most of it.
enum class SampleReading { Keep, Skip };

/// Reads the profile in the file at `path`. Errors, "PATH: what is wrong; remedy": no
/// such regular file, another format or version, truncated, damaged. Whatever the file
/// holds, memory is at most about twice the file, and what comes back passes checkProfile.
llvm::Expected<Profile> readProfile(llvm::StringRef path,
                                    SampleReading samples = SampleReading::Keep);

/// The same of the bytes of a file; `name` stands for the path in messages.
llvm::Expected<Profile> parseProfile(llvm::StringRef bytes, llvm::StringRef name,
                                     SampleReading samples = SampleReading::Keep);

/// The bytes of a profile's file; the same for equal profiles. It must pass checkProfile.
std::string serialiseProfile(const Profile &profile);

/// Writes them to the file at `path`, whole or not at all. Errors name the path; one is a
/// profile that does not pass checkProfile.
llvm::Error writeProfile(const Profile &profile, llvm::StringRef path);

} // namespace pi

#endif // PI_COMPILER_PROFILE_PROFILEFILE_H
