//===- MachineFileTest.cpp - Machine files, damaged ones too ---------------===//

#include "compiler/Target/MachineFile.h"

#include "compiler/Import/Locations.h"
#include "mlir/IR/Diagnostics.h"
#include "test/unit/import/TestModels.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace pi;
using namespace pi::test;

namespace {

constexpr const char *kWhole =
    R"({"version": 1, "cpu": {"name": "A CPU", "threads": 8, "read_bytes_per_us": 40000,
        "f16_bytes_per_us": 90000}, "gpu": {"name": "rtx3090", "read_bytes_per_us": 900000},
        "crossing_us": 1.25})";

class MachineFileTest : public testing::Test {
protected:
  FailureOr<MachineFile> read(const std::string &text) {
    diagnostics.clear();
    count = 0;
    folder.write("pc.json", text);
    return readMachineFile(&context, (folder.path / "pc.json").string());
  }
  /// The one error for the whole file with one text replaced, without the folder's path.
  std::string refuse(const std::string &part, const std::string &by) {
    std::string text = kWhole;
    size_t at = text.find(part);
    EXPECT_NE(at, std::string::npos) << part;
    return refuse(text.replace(at, part.size(), by));
  }
  std::string refuse(const std::string &text) {
    EXPECT_TRUE(failed(read(text))) << text;
    EXPECT_EQ(count, 1) << diagnostics;
    std::string prefix = folder.path.string() + "/";
    size_t at = diagnostics.find(prefix);
    return at == std::string::npos ? diagnostics : diagnostics.erase(at, prefix.size());
  }

  MLIRContext context{MLIRContext::Threading::DISABLED};
  TempFolder folder;
  std::string diagnostics;
  int count = 0;
  ScopedDiagnosticHandler handler{&context, [&](Diagnostic &diagnostic) {
                                    ++count;
                                    diagnostics += describeLocation(diagnostic.getLocation()) +
                                                   ": " + diagnostic.str();
                                    return success();
                                  }};
};

} // namespace

TEST_F(MachineFileTest, AllFields) {
  FailureOr<MachineFile> machine = read(kWhole);
  ASSERT_TRUE(succeeded(machine)) << diagnostics;
  EXPECT_EQ(machine->cpu.name, "A CPU");
  EXPECT_EQ(machine->cpu.threads, 8);
  EXPECT_EQ(machine->cpu.readBytesPerUs, 40000);
  EXPECT_EQ(machine->cpu.f16BytesPerUs, 90000);
  ASSERT_TRUE(machine->gpu);
  EXPECT_EQ(machine->gpu->name, "rtx3090");
  EXPECT_EQ(machine->gpu->readBytesPerUs, 900000);
  EXPECT_EQ(machine->crossingUs, 1.25);
}

TEST_F(MachineFileTest, WithoutGpu) {
  FailureOr<MachineFile> machine =
      read(R"({"version": 1, "cpu": {"name": "x", "threads": 1, "read_bytes_per_us": 1.5,
               "f16_bytes_per_us": 1e9}})");
  ASSERT_TRUE(succeeded(machine)) << diagnostics;
  EXPECT_EQ(machine->cpu.readBytesPerUs, 2); // rounded
  EXPECT_FALSE(machine->gpu);
  EXPECT_FALSE(machine->crossingUs);
}

TEST_F(MachineFileTest, Versions) {
  const char *expected = "pc.json: version: expected 1, the version that this pi-compile reads";
  EXPECT_EQ(refuse("\"version\": 1", "\"version\": 2"), expected);
  EXPECT_EQ(refuse("\"version\": 1", "\"version\": \"1\""), expected);
  EXPECT_EQ(refuse("\"version\": 1", "\"version\": 1.5"), expected);
  EXPECT_EQ(refuse("\"version\": 1,", ""), "pc.json: version: is missing");
}

TEST_F(MachineFileTest, MissingFields) {
  EXPECT_EQ(refuse(R"({"version": 1})"), "pc.json: cpu: is missing");
  EXPECT_EQ(refuse("\"threads\": 8,", ""), "pc.json: cpu.threads: is missing");
  EXPECT_EQ(refuse("\"read_bytes_per_us\": 40000,", ""),
            "pc.json: cpu.read_bytes_per_us: is missing");
  EXPECT_EQ(refuse("\"name\": \"rtx3090\", ", ""), "pc.json: gpu.name: is missing");
}

TEST_F(MachineFileTest, TypesAndRanges) {
  const char *speed = ": expected bytes per microsecond, a number from 1 to 10^9";
  for (const char *bad : {"-40000", "0", "0.5", "1e10", "1e400", "\"40000\"", "null", "[1]"})
    EXPECT_EQ(refuse("40000", bad), std::string("pc.json: cpu.read_bytes_per_us") + speed) << bad;
  EXPECT_EQ(refuse("900000", "-1"), std::string("pc.json: gpu.read_bytes_per_us") + speed);
  EXPECT_EQ(refuse("90000}", "true}"), std::string("pc.json: cpu.f16_bytes_per_us") + speed);
  for (const char *bad : {"0", "-8", "8.5", "65537", "\"8\""})
    EXPECT_EQ(refuse("\"threads\": 8", std::string("\"threads\": ") + bad),
              "pc.json: cpu.threads: expected a whole number from 1 to 65536")
        << bad;
  for (const char *bad : {"-0.1", "1e7", "\"1\"", "{}"})
    EXPECT_EQ(refuse("1.25", bad),
              "pc.json: crossing_us: expected microseconds, a number from 0 to 10^6")
        << bad;
  for (const char *bad : {"\"\"", "\"a\\nb\"", "3"})
    EXPECT_EQ(refuse("\"A CPU\"", bad),
              "pc.json: cpu.name: expected a text of 1 to 200 bytes in one line")
        << bad;
  EXPECT_EQ(refuse("A CPU", std::string(201, 'x')),
            "pc.json: cpu.name: expected a text of 1 to 200 bytes in one line");
  EXPECT_EQ(refuse(R"({"version": 1, "cpu": 3})"), "pc.json: cpu: expected an object");
}

TEST_F(MachineFileTest, UnknownFields) {
  EXPECT_EQ(refuse("\"crossing_us\"", "\"crossing\""),
            "pc.json: crossing: is no field of a machine file of version 1");
  EXPECT_EQ(refuse("\"threads\"", "\"cores\": 4, \"threads\""),
            "pc.json: cpu.cores: is no field of a machine file of version 1");
}

TEST_F(MachineFileTest, NoFileNoJson) {
  EXPECT_TRUE(failed(readMachineFile(&context, (folder.path / "none.json").string())));
  EXPECT_NE(diagnostics.find("none.json: No such file"), std::string::npos) << diagnostics;
  EXPECT_TRUE(failed(readMachineFile(&context, folder.path.string())));
  EXPECT_NE(refuse("").find("pc.json:"), std::string::npos);
  EXPECT_EQ(refuse("[1]"), "pc.json: expected a JSON object");
  EXPECT_EQ(refuse(std::string(1000, '[')), "pc.json: is nested deeper than 100 levels");
  EXPECT_EQ(refuse(std::string(2 << 20, ' ')), "pc.json: is longer than 1048576 bytes");
}

/// Every shorter file, and every file with one byte changed, is an error or a machine file;
/// the shorter ones are always an error, and one only.
TEST_F(MachineFileTest, DamagedAnywhere) {
  std::string whole = kWhole;
  for (size_t length = 0; length < whole.size(); ++length) {
    EXPECT_TRUE(failed(read(whole.substr(0, length)))) << length;
    EXPECT_EQ(count, 1) << length << ": " << diagnostics;
  }
  for (size_t at = 0; at < whole.size(); ++at)
    for (char by : {'\0', '"', '}', '-', '9', '\xff'}) {
      std::string changed = whole;
      changed[at] = by;
      FailureOr<MachineFile> machine = read(changed);
      EXPECT_EQ(count, failed(machine) ? 1 : 0) << at << ": " << diagnostics;
      if (succeeded(machine)) {
        EXPECT_GE(machine->cpu.readBytesPerUs, 1);
        EXPECT_LE(machine->cpu.readBytesPerUs, 1'000'000'000);
      }
    }
}
