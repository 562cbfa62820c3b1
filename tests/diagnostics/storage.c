// run: ir %s
static extern int a;
typedef int t = 3;
register int r;
int long short b;
signed unsigned c;
int f(static int x) { return x; }
auto int k;
struct s { static int x; int y : 40; int z : -1; double w : 3; };
