struct params { double a, b; };
double model(double x, const struct params *p);
