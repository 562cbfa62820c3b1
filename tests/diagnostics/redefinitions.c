// run: ir %s
int x = 1;
int x = 2;
double x;
enum colour { red, green };
enum shade { green, blue };
struct s { int a; };
struct s { int b; };
int f(int a, int a) { return a; }
int f(int b) { return b; }

int g(int n)
{
    int n = 3;
    int k;
    double k;
    return n;
}
