// RUN: not pi-opt %s --pi-plan-memory 2>&1 | FileCheck %s
// CHECK: error: expected one plan.program, got 0
plan.arena @a <activations>
