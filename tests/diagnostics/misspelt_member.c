// run: ir %s
struct particle {
    double position[3], velocity[3];
    double mass;
};

double energy(struct particle *p)
{
    double v = p->velocty[0];
    return 0.5 * p->mas * v * v + p.mass;
}

double direct(struct particle p) { return p->mass; }
