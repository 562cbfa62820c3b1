// run: ir %s
struct s { int x; };

void nothing(void) { return 3; }
int something(void) { return; }
struct s record(void) { return 1; }
int *pointer(void) { struct s s = {0}; return s; }
int text(void) { return "text"; }
