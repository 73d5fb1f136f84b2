//===- Mains.h - The programs, as functions -===//
// Each is a program of its own in the build tree, and one name of the released binary.

#ifndef PI_TOOLS_MAINS_H
#define PI_TOOLS_MAINS_H

namespace pi {

/// Each takes the arguments of its program's main and returns its exit code.
int compileMain(int argc, char **argv);
int inspectMain(int argc, char **argv);
int optMain(int argc, char **argv);
int profileMain(int argc, char **argv);

} // namespace pi

#endif // PI_TOOLS_MAINS_H
