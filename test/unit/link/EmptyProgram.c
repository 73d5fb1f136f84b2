/* EmptyProgram.c - an object without pi_program_v1. */
int pi_unused_function(void) { return 0; }
