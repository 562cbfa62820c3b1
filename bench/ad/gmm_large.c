// size: 1000, ADBench
// The larger Gaussian mixture: d = 32, K = 50.
#define D 32
#define K 50
#include "gmm.c"
