//===- Main.cpp - The program pi-inspect ----------------------------------===//

#include "tools/Mains.h"

int main(int argc, char **argv) { return pi::inspectMain(argc, argv); }
