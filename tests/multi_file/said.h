#define INACTIVE __attribute__((enzyme_inactive))
struct model { double k; double (*act)(double); };
struct model model_of_other_file(double k);
double noise(double x);
double with_noise(double x);
double with_gain(double x);
double with_table(double x);
