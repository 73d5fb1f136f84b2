//===- Main.cpp - The program pi-profile -===//

#include "tools/Mains.h"

int main(int argc, char **argv) { return pi::profileMain(argc, argv); }
