// flags: -lm
// Attitude from gyro and accelerometer: a complementary filter and a scalar Kalman per axis in structs of float, with fixed-point input.
#include "../check.h"
#include <math.h>
#include <stdint.h>

typedef struct { float w, x, y, z; } quat;
typedef struct { float x, y, z; } vec3;
typedef struct { int16_t gyro[3], accel[3]; uint8_t flags; } __attribute__((packed)) sample;
typedef struct { quat q; vec3 bias; float variance[3]; unsigned rejected; } tracker;

static quat qmul(quat a, quat b)
{
    return (quat){a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z, a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
                  a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x, a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
}
static quat unit(quat q)
{
    float n = 1 / sqrtf(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
    q.w *= n, q.x *= n, q.y *= n, q.z *= n;
    return q;
}
static vec3 rotate(quat q, vec3 v)
{
    quat p = {0, v.x, v.y, v.z}, c = {q.w, -q.x, -q.y, -q.z}, r = qmul(qmul(q, p), c);
    return (vec3){r.x, r.y, r.z};
}
static float clamp(float x, float lo, float hi) { return x < lo ? lo : x > hi ? hi : x; }
static int update(tracker *t, const sample *s, float dt)
{
    if (!(s->flags & 1))
        goto reject;
    const float to_rate = 1.0f / 1024, to_g = 1.0f / 4096;
    vec3 rate = {s->gyro[0] * to_rate - t->bias.x, s->gyro[1] * to_rate - t->bias.y, s->gyro[2] * to_rate - t->bias.z};
    quat d = {1, rate.x * dt / 2, rate.y * dt / 2, rate.z * dt / 2};
    t->q = unit(qmul(t->q, d));
    if (s->flags & 2) {
        vec3 a = {s->accel[0] * to_g, s->accel[1] * to_g, s->accel[2] * to_g};
        float n = sqrtf(a.x * a.x + a.y * a.y + a.z * a.z);
        if (n < 0.5f || n > 2)
            goto reject;
        vec3 up = rotate(t->q, (vec3){a.x / n, a.y / n, a.z / n});
        quat fix = {1, clamp(up.y, -0.1f, 0.1f) * 0.05f, clamp(-up.x, -0.1f, 0.1f) * 0.05f, 0};
        t->q = unit(qmul(fix, t->q));
        float *v = t->variance;
        for (int k = 0; k < 3; k++) {
            float gain = v[k] / (v[k] + 0.1f);
            v[k] = (1 - gain) * v[k] + 1e-4f;
        }
    }
    return 0;
reject:
    t->rejected++;
    return -1;
}
int main(void)
{
    CHECK(sizeof(sample) == 13);
    tracker t = {.q = {1, 0, 0, 0}, .variance = {1, 1, 1}};
    float angle = 0;
    for (int i = 0; i < 400; i++) {
        float rate = i < 200 ? 0.5f : 0;
        angle += rate * 0.01f;
        sample s = {{(int16_t)(rate * 1024), 10, 0}, {0, (int16_t)(4096 * sinf(angle)), (int16_t)(4096 * cosf(angle))}, 3};
        if (i % 50 == 7)
            s.accel[2] = 32767;
        if (i % 97 == 3)
            s.flags = 0;
        update(&t, &s, 0.01f);
    }
    CHECK(t.rejected == 8 + 5);
    float got = 2 * atan2f(t.q.x, t.q.w);
    CHECK_NEAR(got, 1.0, 0.05);
    CHECK_NEAR(t.q.w * t.q.w + t.q.x * t.q.x + t.q.y * t.q.y + t.q.z * t.q.z, 1, 1e-5);
    CHECK(t.variance[0] < 0.05f);
    printf("%u rejected, %.1f rad\n", t.rejected, (double)got);
    return check_done();
}
