#!/usr/bin/env python3
"""Every flag of a --help text states a default: check_help.py TEXT"""
import re
import sys

PRINTS = ("-h, --help", "--version", "--list-targets")  # print something and end
text = open(sys.argv[1], encoding="utf-8").read().split("\nexamples:")[0]
flags = re.split(r"\n(?=  -)", text)[1:]
missing = [f.split()[0] for f in flags if "default" not in f and not f.strip().startswith(PRINTS)]
print(f"{len(flags)} flags, without a default: {missing}")
sys.exit(1 if missing or len(flags) < 15 else 0)
