//===- ElfNote.h - The mark of executables made by pi-compile ---*- C++ -*-===//

#ifndef PI_TOOLS_PI_INSPECT_ELFNOTE_H
#define PI_TOOLS_PI_INSPECT_ELFNOTE_H

#include <string>

namespace pi {

/// Whether the file at `path` begins like a 64-bit ELF file and one of its notes is named
/// PI_NOTE_NAME. False for what cannot be read. Reads headers and notes only, of any file.
bool hasOwnNote(const std::string &path);

} // namespace pi

#endif // PI_TOOLS_PI_INSPECT_ELFNOTE_H
