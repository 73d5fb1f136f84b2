#!/bin/sh
# Usage: check_fixtures.sh FIXTURES WORK PYTHON ORACLE NAME...: raises each fixture and
# runs it through the interpreter.
fixtures=$1; work=$2; python=$3; oracle=$4
shift 4
rm -rf "$work" && mkdir -p "$work" || exit 1
for name in "$@"; do
  pi-import "$fixtures/$name/model.onnx" --tokenizer="$fixtures/tokenizer.json" > "$work/$name.import.mlir" || exit 1
  pi-opt "$work/$name.import.mlir" --pi-phase-raise -o "$work/$name.llm.mlir" || exit 1
  "$python" "$oracle/check_llm.py" pi-llm-run "$work/$name.llm.mlir" "$fixtures/$name/expected.json" || exit 1
done
