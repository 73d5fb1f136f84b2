//===- Main.cpp - The program pi-compile -===//

#include "tools/Mains.h"

int main(int argc, char **argv) { return pi::compileMain(argc, argv); }
