/* TinyProgram.c - stands for a generated object: defines the one symbol. */
const int pi_program_v1 = 42;
int pi_unused_function(void) { return pi_program_v1; }
