//===- Main.cpp - Joins the runtime and the generated program -------------===//

#include "runtime/abi/pi_abi.h"
#include "runtime/abi/pi_format.h"
#include "runtime/main/Commands.h"

// Name with its NUL, contents, type; no strip and no linker drops a note.
__asm__(".pushsection .note.pi, \"a\", @note\n"
        ".balign 4\n"
        ".long 2f - 1f, 0, 1\n"
        "1: .asciz \"" PI_NOTE_NAME "\"\n"
        "2: .balign 4\n"
        ".popsection");

int main(int argc, char **argv) { return pi::runMain(argc, argv, pi_program_v1); }
