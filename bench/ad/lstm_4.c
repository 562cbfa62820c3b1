// size: 4, ADBench
// The long short-term memory with four layers.
#include "lstm.c"
