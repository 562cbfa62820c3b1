/* Structs and unions without names inside of those that two files share. */
typedef struct {
    int kind;
    union {
        struct { double radius; } circle;
        struct { double width, height; } box;
        double *heights;
    } shape;
    struct { struct { double at[2]; } corner[2]; } *frame;
    enum { ROUND, SQUARE, GRAPH } form;
} figure;
#ifndef MAIN
extern struct { double scale; struct { double x; } origin; } settings;
#endif
figure *figure_new(const double *x);
double figure_area(const figure *f);
