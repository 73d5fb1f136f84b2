#!/usr/bin/env python3
"""Executes a program in a root folder with an empty environment but PATH="".

Usage: enter.py ROOT PROGRAM ARGV0 [ARGS...]    PROGRAM as seen from inside."""
import os
import sys

root, program, *argv = sys.argv[1:]
os.chroot(root)
os.chdir("/")
os.execve(program, argv, {"PATH": ""})
