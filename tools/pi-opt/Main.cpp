//===- Main.cpp - The program pi-opt -===//

#include "tools/Mains.h"

int main(int argc, char **argv) { return pi::optMain(argc, argv); }
