// RUN: not pi-opt --pi-debug-fail=how=silent %s
// RUN: not --crash pi-opt --pi-debug-fail=how=crash %s
module {}
