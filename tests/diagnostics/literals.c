// run: ir %s
int a = 0x;
int b = 089;
int c = 12abc;
double d = 1.5e;
char e = '';
int h = 99999999999999999999999;
int i = @;
