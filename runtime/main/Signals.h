//===- Signals.h - SIGINT, SIGPIPE and SIGBUS -----------------------------===//

#ifndef PI_RUNTIME_MAIN_SIGNALS_H
#define PI_RUNTIME_MAIN_SIGNALS_H

namespace pi {

/// The first SIGINT only sets a flag, a second one ends the process. A closed pipe
/// shows as a write error. Weights that cannot be read any more (a file truncated or a
/// disk lost while it is mapped) end the process with a message and exit code 1.
void installSignalHandlers();

/// True once SIGINT has come.
bool wasInterrupted();

/// Forgets the SIGINT that has come: the next one only sets the flag again.
void rearmInterrupt();

} // namespace pi

#endif // PI_RUNTIME_MAIN_SIGNALS_H
