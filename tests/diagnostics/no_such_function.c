// run: ir %s -f thrice
int once(int x) { return x; }
int twice(int x) { return 2 * x; }
