//===- RandomProfile.h - Profiles for tests -===//

#ifndef PI_TEST_UNIT_PROFILE_RANDOMPROFILE_H
#define PI_TEST_UNIT_PROFILE_RANDOMPROFILE_H

#include "compiler/Profile/Profile.h"

#include <random>
#include <string>

namespace pi::test {

/// Shards `shards` (ascending) of a run of 5 over a model of three layers: 13, 8 and 1
/// neurons, hidden 3, 2 and 3. Counts, mass and samples are random.
Profile makeProfile(std::mt19937_64 &random, std::vector<uint32_t> shards);

/// The message of a failure; empty for success.
std::string describe(llvm::Error error);

/// The bits of two profiles are equal.
bool areSame(const Profile &a, const Profile &b);

} // namespace pi::test

#endif // PI_TEST_UNIT_PROFILE_RANDOMPROFILE_H
