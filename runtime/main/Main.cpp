//===- Main.cpp - Joins the runtime and the generated program -------------===//

#include "runtime/abi/pi_abi.h"
#include "runtime/main/Commands.h"

int main(int argc, char **argv) { return pi::runMain(argc, argv, pi_program_v1); }
