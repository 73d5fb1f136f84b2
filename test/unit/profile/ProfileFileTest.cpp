//===- ProfileFileTest.cpp - Profiles in files, sound and damaged ones -===//

#include "compiler/Profile/ProfileFile.h"
#include "compiler/Profile/ProfileFormat.h"
#include "test/unit/link/TempFolder.h"
#include "test/unit/profile/RandomProfile.h"
#include "llvm/Support/Endian.h"

#include <gtest/gtest.h>

#include <sys/stat.h>
#include <unistd.h>

using namespace pi;
using namespace pi::test;

static const std::string kDamaged = "; the file is damaged, make the profile again";
// Of makeProfile: where its sections begin.
static constexpr size_t kSource = 104, kShards = kSource + 16, kTable = kShards + 8,
                        kLayers = kTable + 48;

static std::string makeBytes(uint64_t seed = 1) {
  std::mt19937_64 random(seed);
  return serialiseProfile(makeProfile(random, {1}));
}

/// The message of reading `bytes`; empty where they are read.
static std::string readError(const std::string &bytes) {
  llvm::Expected<Profile> profile = parseProfile(bytes, "f");
  return profile ? std::string() : llvm::toString(profile.takeError());
}

/// Makes the checksum right again.
static std::string &seal(std::string &bytes) {
  using namespace pi::profile_format;
  uint64_t hash = addToChecksum(kFnvOffset, bytes.data(), 24);
  hash = addToChecksum(hash, bytes.data() + 32, bytes.size() - 32);
  llvm::support::endian::write64le(&bytes[24], hash);
  return bytes;
}

/// A profile whose 32-bit number at `offset` is another, with the right checksum.
static std::string change(size_t offset, uint32_t value) {
  std::string bytes = makeBytes();
  llvm::support::endian::write32le(&bytes[offset], value);
  return seal(bytes);
}

TEST(ProfileFile, RoundTrip) {
  std::mt19937_64 random(2);
  for (int round = 0; round < 100; ++round) {
    Profile profile = makeProfile(random, {0, 2, 4});
    std::string bytes = serialiseProfile(profile);
    llvm::Expected<Profile> read = parseProfile(bytes, "f");
    ASSERT_TRUE(bool(read)) << llvm::toString(read.takeError());
    EXPECT_EQ(serialiseProfile(*read), bytes);
    EXPECT_EQ(read->source, profile.source);
    EXPECT_EQ(read->shards, profile.shards);
    EXPECT_EQ(read->interrupted, profile.interrupted);
    EXPECT_EQ(read->sampleLimit, profile.sampleLimit);
    EXPECT_EQ(read->samples.size(), profile.samples.size());
    EXPECT_EQ(read->layers[0].mass, profile.layers[0].mass);
    EXPECT_EQ(read->layers[0].downNorms, profile.layers[0].downNorms);
    EXPECT_TRUE(read->layers[1].downNorms.empty());
  }
}

TEST(ProfileFile, SamplesByLayerOrSkipped) {
  std::mt19937_64 random(3);
  Profile profile = makeProfile(random, {0});
  while (profile.samples.empty())
    profile = makeProfile(random, {0});
  const ProfileSample &sample = profile.samples[0];
  EXPECT_EQ(getInput(profile, sample, 1).data(), sample.inputs.data() + 3);
  EXPECT_EQ(getInput(profile, sample, 1).size(), 2u);
  EXPECT_EQ(getMask(profile, sample, 2).data(), sample.masks.data() + 3);
  EXPECT_EQ(getMask(profile, sample, 2).size(), 1u);
  llvm::Expected<Profile> read = parseProfile(serialiseProfile(profile), "f", SampleReading::Skip);
  ASSERT_TRUE(bool(read));
  EXPECT_TRUE(read->samples.empty());
  EXPECT_EQ(read->layers[2].counts, profile.layers[2].counts);
}

TEST(ProfileFile, Truncated) {
  std::string bytes = makeBytes();
  EXPECT_EQ(readError(""), "f: has 0 bytes, a profile has 104 at least" + kDamaged);
  for (size_t length = 1; length < bytes.size(); ++length) {
    std::string expected =
        length < 104 ? "f: has " + std::to_string(length) + " bytes, a profile has 104 at least"
                     : "f: has " + std::to_string(length) + " bytes, its header says " +
                           std::to_string(bytes.size());
    EXPECT_EQ(readError(bytes.substr(0, length)), expected + kDamaged);
  }
  EXPECT_EQ(readError(bytes + "x"), "f: has " + std::to_string(bytes.size() + 1) +
                                        " bytes, its header says " + std::to_string(bytes.size()) +
                                        kDamaged);
}

/// Truncation where the header and the checksum were made to agree: each section is
/// missed by its length.
TEST(ProfileFile, TruncatedAndSealed) {
  std::string whole = makeBytes();
  for (size_t length : {kSource, kSource + 8, kShards, kTable, kTable + 8, kLayers, kLayers + 8,
                        whole.size() - 8}) {
    std::string bytes = whole.substr(0, length);
    llvm::support::endian::write64le(&bytes[16], length);
    // Before the layer table ends only the sizes up to it are known.
    size_t needed = length < kLayers ? kLayers : whole.size();
    EXPECT_EQ(readError(seal(bytes)), "f: has " + std::to_string(length) +
                                          " bytes, its tables need " + std::to_string(needed) +
                                          kDamaged);
  }
  std::string bytes = whole + std::string(8, '\0');
  llvm::support::endian::write64le(&bytes[16], bytes.size());
  EXPECT_EQ(readError(seal(bytes)), "f: has " + std::to_string(bytes.size()) +
                                        " bytes, its tables need " + std::to_string(whole.size()) +
                                        kDamaged);
}

TEST(ProfileFile, OtherFormats) {
  std::string bytes = makeBytes();
  const std::string other = "f: is no profile; name a file that pi-profile wrote";
  EXPECT_EQ(readError("{\"tokens\": 5}"), other);
  EXPECT_EQ(readError(std::string(200, '\0')), other);
  std::string asText = bytes;
  asText.erase(6, 1); // \r\n became \n
  EXPECT_EQ(readError(asText), other);
  std::string remedy = ", this program reads version 1; make the profile again";
  EXPECT_EQ(readError(change(8, 2)), "f: is of format version 2" + remedy);
  std::string swapped = bytes; // big endian
  std::swap(swapped[8], swapped[11]);
  EXPECT_EQ(readError(swapped), "f: is of format version 16777216" + remedy);
}

TEST(ProfileFile, Checksum) {
  std::string bytes = makeBytes();
  std::string sum = bytes.substr(24, 8);
  bytes[kLayers] ^= 1;
  EXPECT_TRUE(llvm::StringRef(readError(bytes)).starts_with("f: has checksum "));
  std::string zeroed = makeBytes();
  zeroed.replace(24, 8, 8, '\0');
  char stored[17];
  snprintf(stored, sizeof stored, "%016llx",
           (unsigned long long)llvm::support::endian::read64le(sum.data()));
  EXPECT_EQ(readError(zeroed), std::string("f: has checksum ") + stored +
                                   ", its header says 0000000000000000" + kDamaged);
}

TEST(ProfileFile, HugeNumbersTakeNoMemory) {
  std::string size = std::to_string(makeBytes().size());
  std::string head = "f: has " + size + " bytes, its tables need ";
  uint32_t huge = UINT32_MAX;
  uint64_t base = kLayers; // of the sections up to the layer table
  EXPECT_EQ(readError(change(80, huge)),
            head + std::to_string(base - 8 + (uint64_t(1) << 34)) + kDamaged); // shards
  EXPECT_EQ(readError(change(84, huge)),
            head + std::to_string(base - 48 + uint64_t(huge) * 16) + kDamaged); // layers
  EXPECT_EQ(readError(change(96, huge)),
            head + std::to_string(base - 16 + (uint64_t(1) << 32)) + kDamaged); // source
  for (size_t offset : {size_t(92), kTable + 4, kTable + 8}) { // samples, hidden, neurons
    std::string error = readError(change(offset, huge));
    EXPECT_TRUE(llvm::StringRef(error).starts_with(head)) << error;
  }
  std::string bytes = change(92, huge); // and so many of so large samples that 64 bits overflow
  for (size_t layer = 0; layer < 3; ++layer)
    llvm::support::endian::write32le(&bytes[kTable + 16 * layer + 4], huge);
  EXPECT_EQ(readError(seal(bytes)), head + "more than 18446744073709551615" + kDamaged);
}

TEST(ProfileFile, UnknownFlagsAndPadding) {
  const std::string flags = "f: has flags that this program does not know; make the profile again";
  EXPECT_EQ(readError(change(12, 2)), flags);
  EXPECT_EQ(readError(change(100, 1)), flags);
  EXPECT_EQ(readError(change(kTable + 12, 3)), flags);
  EXPECT_EQ(readError(change(kShards + 4, 1)), "f: has padding that is not zero" + kDamaged);
}

TEST(ProfileFile, WrongContents) {
  EXPECT_EQ(readError(change(kShards, 5)), "f: shard 5 is counted, but there are 5" + kDamaged);
  EXPECT_EQ(readError(change(kTable + 16, 0)), "f: layer 0 comes after layer 0" + kDamaged);
  EXPECT_EQ(readError(change(52, 1)).size(), 0u); // token goal: any number is possible
}

/// Each fault that checkProfile knows.
TEST(ProfileFile, ChecksBeforeWriting) {
  struct Case {
    void (*change)(Profile &);
    std::string message;
  };
  const Case cases[] = {
      {[](Profile &p) { p.source.resize(65537); },
       "the source's name has 65537 bytes; 65536 are possible"},
      {[](Profile &p) { p.source = "\xff"; }, "the source's name is not UTF-8"},
      {[](Profile &p) { p.tokens = kMaxProfileTokens + 1; },
       "72057594037927937 tokens are more than the 72057594037927936 that are possible"},
      {[](Profile &p) { p.shards.clear(); }, "no shard is counted"},
      {[](Profile &p) { p.shards = {3, 3}; }, "shard 3 comes after shard 3"},
      {[](Profile &p) { p.shards = {3, 5}; }, "shard 5 is counted, but there are 5"},
      {[](Profile &p) { p.layers.clear(); }, "there are 0 layers; 1 to 65536 are possible"},
      {[](Profile &p) { p.layers[1].layer = 0; }, "layer 0 comes after layer 0"},
      {[](Profile &p) { p.layers[1].counts.clear(); },
       "layer 2 has 0 neurons; 1 to 16777216 are possible"},
      {[](Profile &p) { p.layers[1].hidden = 0; },
       "layer 2 has inputs of width 0; 1 to 16777216 are possible"},
      {[](Profile &p) { p.layers[1].mass.pop_back(); }, "layer 2 has 8 counts but 7 sums"},
      {[](Profile &p) { p.layers[0].downNorms.pop_back(); }, "layer 0 has 13 counts but 12 norms"},
      {[](Profile &p) { p.layers[0].downNorms[2] = -1; },
       "the norm of neuron 2 of layer 0 is no finite length"},
      {[](Profile &p) { p.layers[0].downNorms[2] = NAN; },
       "the norm of neuron 2 of layer 0 is no finite length"},
      {[](Profile &p) {
         p.tokens = 100;
         p.layers[0].counts.assign(13, 0);
         p.layers[0].counts[4] = 101;
       },
       "neuron 4 of layer 0 is active at 101 of 100 tokens"},
      {[](Profile &p) { p.sampleLimit = 2; }, "there are 3 samples; the limit is 2"},
      {[](Profile &p) { p.samples[1].inputs.push_back(0); },
       "sample 1 has 9 inputs and 4 bytes of masks; the layers have 8 and 4"},
      {[](Profile &p) { p.samples[1].masks.pop_back(); },
       "sample 1 has 8 inputs and 3 bytes of masks; the layers have 8 and 4"},
      {[](Profile &p) { p.samples[2].masks[1] |= 0x20; },
       "sample 2 has active neurons that layer 0 does not have"},
      {[](Profile &p) {
         p.samples[0].priority = 0;
         p.samples[1].priority = 2;
         p.samples[2].priority = 1;
       },
       "sample 2 comes before the one that precedes it"},
  };
  TempFolder folder;
  std::mt19937_64 random(9);
  Profile sound = makeProfile(random, {1});
  while (sound.samples.size() != 3)
    sound = makeProfile(random, {1});
  for (const Case &c : cases) {
    Profile profile = sound;
    c.change(profile);
    EXPECT_EQ(describe(checkProfile(profile)), c.message);
    EXPECT_EQ(describe(writeProfile(profile, folder / "p")),
              folder / "p" + ": is not written: " + c.message);
  }
  EXPECT_TRUE(folder.list().empty());
  EXPECT_EQ(describe(checkProfile(sound)), "");
}

/// A flipped bit is found, whatever it is in; with the checksum made right, what is read
/// is sound or refused.
TEST(ProfileFile, FlippedBits) {
  std::mt19937_64 random(10);
  for (int round = 0; round < 20000; ++round) {
    std::string bytes = makeBytes(round % 8);
    for (int flips = 1 + random() % 3; flips > 0; --flips) {
      size_t bit = random() % (bytes.size() * 8);
      bytes[bit / 8] ^= 1 << bit % 8;
    }
    if (bytes != makeBytes(round % 8)) // a bit flipped twice
      EXPECT_NE(readError(bytes), "");
    llvm::Expected<Profile> profile = parseProfile(seal(bytes), "f");
    if (profile)
      EXPECT_EQ(serialiseProfile(*profile), bytes);
    else
      llvm::consumeError(profile.takeError());
  }
}

TEST(ProfileFile, WritesWholeFilesOnly) {
  TempFolder folder;
  std::mt19937_64 random(11);
  Profile profile = makeProfile(random, {1});
  std::string path = folder / "a.piprof";
  ASSERT_EQ(describe(writeProfile(profile, path)), "");
  EXPECT_EQ(readFile(path), serialiseProfile(profile));
  ASSERT_EQ(symlink("a.piprof", (folder / "link").c_str()), 0);
  profile.tokens += 1;
  ASSERT_EQ(describe(writeProfile(profile, folder / "link")), "");
  EXPECT_EQ(readFile(path), serialiseProfile(profile));
  EXPECT_EQ(folder.list(), (std::vector<std::string>{"a.piprof", "link"}));
  llvm::Expected<Profile> read = readProfile(path);
  ASSERT_TRUE(bool(read));
  EXPECT_TRUE(areSame(*read, profile));
}

TEST(ProfileFile, PathsThatDoNotWork) {
  TempFolder folder;
  std::mt19937_64 random(12);
  Profile profile = makeProfile(random, {1});
  std::string missing = folder / "none/p";
  EXPECT_EQ(describe(writeProfile(profile, missing)),
            "cannot write '" + missing + "': No such file or directory; name another output");
  for (const std::string &path : {folder.getPath(), std::string("/dev/null")})
    EXPECT_EQ(describe(writeProfile(profile, path)),
              "cannot write '" + path +
                  "': it exists and is not a regular file; name another output");
  auto readPath = [](const std::string &path) { return describe(readProfile(path).takeError()); };
  EXPECT_EQ(readPath(missing), missing + ": cannot be read: No such file or directory; name a "
                                         "file that pi-profile wrote");
  for (const std::string &path : {folder.getPath(), std::string("/dev/zero")})
    EXPECT_EQ(readPath(path), path + ": cannot be read: it is not a regular file; name a file "
                                     "that pi-profile wrote");
  EXPECT_TRUE(folder.list().empty());
}
