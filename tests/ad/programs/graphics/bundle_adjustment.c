/* Bundle adjustment residual: Rodrigues rotation, radial distortion, small-angle branch. */
#include <math.h>
#include <stdio.h>

#define CAM 11
extern int enzyme_dup;
void __enzyme_autodiff(void *, ...);

static void cross(const double *a, const double *b, double *out)
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

static void rodrigues(const double *rot, const double *pt, double *out)
{
    double theta2 = rot[0] * rot[0] + rot[1] * rot[1] + rot[2] * rot[2];
    if (theta2 != 0) {
        double theta = sqrt(theta2), c = cos(theta), s = sin(theta), inv = 1 / theta;
        double w[3] = {rot[0] * inv, rot[1] * inv, rot[2] * inv}, wx[3];
        cross(w, pt, wx);
        double d = (w[0] * pt[0] + w[1] * pt[1] + w[2] * pt[2]) * (1 - c);
        for (int i = 0; i < 3; i++)
            out[i] = pt[i] * c + wx[i] * s + w[i] * d;
    } else {
        double rx[3];
        cross(rot, pt, rx);
        for (int i = 0; i < 3; i++)
            out[i] = pt[i] + rx[i];
    }
}

static void residual(const double *cam, const double *X, const double *w, const double *feat, double *err)
{
    double xo[3], xc[3];
    for (int i = 0; i < 3; i++)
        xo[i] = X[i] - cam[3 + i];
    rodrigues(cam, xo, xc);
    double u = xc[0] / xc[2], v = xc[1] / xc[2], r2 = u * u + v * v;
    double l = 1 + cam[9] * r2 + cam[10] * r2 * r2;
    err[0] = *w * (cam[6] * u * l + cam[7] - feat[0]);
    err[1] = *w * (cam[6] * v * l + cam[8] - feat[1]);
}

int main(void)
{
    double cam[CAM] = {0.1, -0.2, 0.15, 0.3, 0.1, -2, 1.2, 0.05, -0.03, 0.02, -0.01}, X[3] = {0.4, -0.3, 3}, w = 0.9, feat[2] = {0.1, 0.2};
    double err[2], e0[2], e1[2];
    for (int pass = 0; pass < 2; pass++) {
        if (pass == 1)
            cam[0] = cam[1] = cam[2] = 0; /* the other branch */
        for (int row = 0; row < 2; row++) {
            double dcam[CAM] = {0}, dX[3] = {0}, dw = 0, dfeat[2] = {0}, seed[2] = {row == 0, row == 1};
            __enzyme_autodiff((void *)residual, enzyme_dup, cam, dcam, enzyme_dup, X, dX, enzyme_dup, &w, &dw, enzyme_dup, feat, dfeat, enzyme_dup, err, seed);
            for (int i = 0; i < CAM + 3; i++) {
                double *v = i < CAM ? cam + i : X + i - CAM, g = i < CAM ? dcam[i] : dX[i - CAM], k = *v, h = 1e-6;
                *v = k + h;
                residual(cam, X, &w, feat, e1);
                *v = k - h;
                residual(cam, X, &w, feat, e0);
                *v = k;
                double fd = (e1[row] - e0[row]) / (2 * h);
                if (!(fabs(fd - g) < 1e-6)) {
                    printf("pass %d, row %d, parameter %d: %g vs %g\n", pass, row, i, g, fd);
                    return 1;
                }
            }
            if (!(fabs(dfeat[row] + w) < 1e-15 && fabs(dw * w - err[row]) < 1e-14)) {
                puts("weight or feature");
                return 1;
            }
        }
    }
    return 0;
}
