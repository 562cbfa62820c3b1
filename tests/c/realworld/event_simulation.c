// flags: -lm
// A discrete-event simulation of a bank with priority-queue events, queues of
// customers from a free list, and statistics checked against theory.
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum event_kind { ARRIVAL, DEPARTURE, SAMPLE, CLOSING };

typedef struct customer { int id, class; double arrived, started; struct customer *next; } customer;

typedef struct { double time; unsigned sequence; enum event_kind kind; int server; } event;

typedef struct { event *heap; int count, capacity; unsigned sequence; } event_queue;

typedef struct { customer *head, **tail; int length, longest; } line;

typedef struct { customer *serving; double busy; int served; } server;

typedef struct {
    double now, closing, arrival_rate, service_rate;
    event_queue events;
    line lines[2]; // by class; class 1 goes first
    server *servers;
    int server_count, next_id, open;
    uint64_t random;
    customer *free_list;
    double total_wait, total_time, area;
    double last_change;
    int in_system, completed, samples;
    int allocated;
} simulation;

static double uniform(simulation *s)
{
    uint64_t x = s->random;
    x ^= x >> 12;
    x ^= x << 25;
    x ^= x >> 27;
    s->random = x;
    return (double)((x * 2685821657736338717ull) >> 11) / 9007199254740992.0;
}

static double exponential(simulation *s, double rate) { return -log(1 - uniform(s)) / rate; }

static int before(const event *a, const event *b)
{
    return a->time < b->time || (a->time == b->time && a->sequence < b->sequence);
}

static void schedule(simulation *s, double delay, enum event_kind kind, int server)
{
    event_queue *q = &s->events;
    if (q->count == q->capacity) {
        q->capacity = q->capacity ? q->capacity * 2 : 16;
        q->heap = realloc(q->heap, (size_t)q->capacity * sizeof *q->heap);
        if (!q->heap)
            exit(2);
    }
    event e = {s->now + delay, q->sequence++, kind, server};
    int i = q->count++;
    for (int parent; i > 0 && before(&e, &q->heap[parent = (i - 1) / 2]); i = parent)
        q->heap[i] = q->heap[parent];
    q->heap[i] = e;
}

static int next_event(event_queue *q, event *out)
{
    if (q->count == 0)
        return 0;
    *out = q->heap[0];
    event last = q->heap[--q->count];
    int i = 0;
    for (;;) {
        int child = 2 * i + 1;
        if (child >= q->count)
            break;
        if (child + 1 < q->count && before(&q->heap[child + 1], &q->heap[child]))
            child++;
        if (!before(&q->heap[child], &last))
            break;
        q->heap[i] = q->heap[child];
        i = child;
    }
    q->heap[i] = last;
    return 1;
}

static customer *new_customer(simulation *s)
{
    customer *c = s->free_list;
    if (c)
        s->free_list = c->next;
    else {
        c = malloc(sizeof *c);
        if (!c)
            exit(2);
        s->allocated++;
    }
    *c = (customer){.id = s->next_id++, .class = uniform(s) < 0.2, .arrived = s->now};
    return c;
}

static void enqueue(line *l, customer *c)
{
    c->next = NULL;
    *l->tail = c;
    l->tail = &c->next;
    if (++l->length > l->longest)
        l->longest = l->length;
}

static customer *dequeue(line *l)
{
    customer *c = l->head;
    if (c) {
        l->head = c->next;
        if (!l->head)
            l->tail = &l->head;
        l->length--;
    }
    return c;
}

static void change_population(simulation *s, int by)
{
    s->area += s->in_system * (s->now - s->last_change);
    s->last_change = s->now;
    s->in_system += by;
}

static void start_service(simulation *s, int index)
{
    server *v = &s->servers[index];
    customer *c = dequeue(&s->lines[1]);
    if (!c)
        c = dequeue(&s->lines[0]);
    v->serving = c;
    if (!c)
        return;
    double duration = exponential(s, s->service_rate);
    c->started = s->now;
    s->total_wait += s->now - c->arrived;
    v->busy += duration;
    schedule(s, duration, DEPARTURE, index);
}

static void arrive(simulation *s)
{
    if (!s->open)
        return;
    customer *c = new_customer(s);
    enqueue(&s->lines[c->class], c);
    change_population(s, 1);
    for (int i = 0; i < s->server_count; i++)
        if (!s->servers[i].serving) {
            start_service(s, i);
            break;
        }
    schedule(s, exponential(s, s->arrival_rate), ARRIVAL, -1);
}

static void depart(simulation *s, int index)
{
    server *v = &s->servers[index];
    customer *c = v->serving;
    s->total_time += s->now - c->arrived;
    s->completed++;
    v->served++;
    change_population(s, -1);
    c->next = s->free_list;
    s->free_list = c;
    start_service(s, index);
}

static void run(simulation *s)
{
    event e;
    schedule(s, exponential(s, s->arrival_rate), ARRIVAL, -1);
    schedule(s, s->closing, CLOSING, -1);
    schedule(s, 1, SAMPLE, -1);
    while (next_event(&s->events, &e)) {
        s->now = e.time;
        switch (e.kind) {
        case ARRIVAL: arrive(s); break;
        case DEPARTURE: depart(s, e.server); break;
        case SAMPLE:
            s->samples++;
            if (s->open)
                schedule(s, 10, SAMPLE, -1);
            break;
        case CLOSING: s->open = 0; break;
        }
    }
}

int main(void)
{
    int bad = 0;
    for (int servers = 1; servers <= 3; servers++) {
        simulation s = {.closing = 2000, .arrival_rate = 0.7, .service_rate = 1.0 / servers, .server_count = servers, .open = 1, .random = 88172645463325252ull};
        for (int k = 0; k < 2; k++)
            s.lines[k].tail = &s.lines[k].head;
        s.servers = calloc((size_t)servers, sizeof *s.servers);
        if (!s.servers)
            return 2;
        run(&s);
        double busy = 0;
        int served = 0;
        for (int i = 0; i < servers; i++) {
            busy += s.servers[i].busy;
            served += s.servers[i].served;
        }
        double utilisation = busy / (s.now * servers), mean_time = s.total_time / s.completed;
        printf("%d servers: %d customers, wait %.6f, time %.6f, load %.6f, longest %d/%d, pool %d\n", servers, s.completed,
               s.total_wait / s.completed, mean_time, utilisation, s.lines[0].longest, s.lines[1].longest, s.allocated);
        bad += served != s.completed || s.completed != s.next_id || s.in_system != 0;
        bad += fabs(s.area - s.total_time) > 1e-6 * s.area; // Little's law, exactly
        bad += utilisation < 0.6 || utilisation > 0.8;
        while (s.free_list) {
            customer *c = s.free_list;
            s.free_list = c->next;
            free(c);
            s.allocated--;
        }
        bad += s.allocated != 0;
        free(s.events.heap);
        free(s.servers);
    }
    printf("%d bad\n", bad);
    return bad != 0;
}
