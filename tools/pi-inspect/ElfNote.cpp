//===- ElfNote.cpp - The mark of executables made by pi-compile -----------===//

#include "tools/pi-inspect/ElfNote.h"

#include "runtime/abi/pi_format.h"

#include <cstdint>
#include <cstring>
#include <fstream>
#include <string>

#include <elf.h>

namespace pi {

static constexpr uint64_t kMaxNoteBytes = 65536;

static bool readAt(std::ifstream &file, uint64_t offset, void *to, uint64_t bytes) {
  return file.seekg(std::streamoff(offset)) &&
         file.read(static_cast<char *>(to), std::streamsize(bytes));
}

/// Whether a note of a segment's bytes has our name.
static bool holdsNote(const std::string &notes) {
  Elf64_Nhdr note;
  for (size_t at = 0; at + sizeof note <= notes.size();) {
    std::memcpy(&note, notes.data() + at, sizeof note);
    at += sizeof note;
    if (note.n_namesz == sizeof PI_NOTE_NAME && notes.size() - at >= sizeof PI_NOTE_NAME &&
        std::memcmp(notes.data() + at, PI_NOTE_NAME, sizeof PI_NOTE_NAME) == 0)
      return true;
    auto padded = [](uint64_t bytes) { return (bytes + 3) / 4 * 4; };
    at += padded(note.n_namesz) + padded(note.n_descsz);
  }
  return false;
}

bool hasOwnNote(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  Elf64_Ehdr header;
  if (!readAt(file, 0, &header, sizeof header) ||
      std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 || header.e_ident[EI_CLASS] != ELFCLASS64 ||
      header.e_phentsize != sizeof(Elf64_Phdr))
    return false;
  for (unsigned i = 0; i < header.e_phnum; ++i) {
    Elf64_Phdr segment;
    if (!readAt(file, header.e_phoff + i * sizeof segment, &segment, sizeof segment))
      return false;
    if (segment.p_type != PT_NOTE || segment.p_filesz > kMaxNoteBytes)
      continue;
    std::string notes(segment.p_filesz, '\0');
    if (readAt(file, segment.p_offset, notes.data(), notes.size()) && holdsNote(notes))
      return true;
    file.clear();
  }
  return false;
}

} // namespace pi
