#ifndef MODEL_H
#define MODEL_H
typedef struct {
    double x, y, z;
} vec3;
typedef struct {
    int teeth;
    float wear;
    struct {
        double ratio[2][2];
    } gear;
} part;
double price(double S, double K, double r, double sigma, double T);
double chain(int n, const double *x, double k);
double loss(int n, const double *w, double bias, const double *x, int label);
vec3 rotate(vec3 v, double angle, const vec3 *shift);
int step(int n, double *u, double dt);
float norm(const float x[3]);
double gears(int n, const part *parts, part whole, double speed);
#endif
