// LZ77 with a hash chain, run-length and canonical Huffman coding of the result.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WINDOW 1024
#define MIN_MATCH 3
#define MAX_MATCH 66

typedef struct {
    uint8_t *data;
    size_t length, capacity;
    uint32_t bits;
    int bit_count;
} output;

static void put_byte(output *o, uint8_t b)
{
    if (o->length == o->capacity) {
        o->capacity = o->capacity ? o->capacity * 2 : 64;
        uint8_t *grown = realloc(o->data, o->capacity);
        if (!grown)
            exit(2);
        o->data = grown;
    }
    o->data[o->length++] = b;
}

static void put_bits(output *o, uint32_t value, int count)
{
    while (count-- > 0) {
        o->bits = o->bits << 1 | (value >> count & 1);
        if (++o->bit_count == 8) {
            put_byte(o, (uint8_t)o->bits);
            o->bit_count = 0;
            o->bits = 0;
        }
    }
}

static void flush_bits(output *o)
{
    while (o->bit_count)
        put_bits(o, 0, 1);
}

typedef struct { const uint8_t *data; size_t length, at; int bit; } input;

static int get_bit(input *in)
{
    if (in->at >= in->length)
        return -1;
    int b = in->data[in->at] >> (7 - in->bit) & 1;
    if (++in->bit == 8) {
        in->bit = 0;
        in->at++;
    }
    return b;
}

static unsigned hash3(const uint8_t *p) { return (p[0] * 2654435761u ^ p[1] * 40503u ^ p[2] * 97u) >> 4 & 255; }

// Format: a control byte for each 8 items; 0 = literal, 1 = (distance, length).
static output lz_compress(const uint8_t *in, size_t n)
{
    output o = {0};
    int head[256], chain[WINDOW];
    memset(head, -1, sizeof head);
    size_t control = 0;
    int items = 8;
    for (size_t i = 0; i < n;) {
        int best_length = 0, best_distance = 0;
        if (i + MIN_MATCH <= n) {
            int tries = 32;
            for (int p = head[hash3(in + i)]; p >= 0 && (int)i - p < WINDOW && tries-- > 0; p = chain[p % WINDOW]) {
                int l = 0;
                while (l < MAX_MATCH && i + (size_t)l < n && in[p + l] == in[i + (size_t)l])
                    l++;
                if (l > best_length) {
                    best_length = l;
                    best_distance = (int)i - p;
                }
            }
        }
        if (items == 8) {
            control = o.length;
            put_byte(&o, 0);
            items = 0;
        }
        int advance = 1;
        if (best_length >= MIN_MATCH) {
            unsigned packed = (unsigned)best_distance << 6 | (unsigned)(best_length - MIN_MATCH);
            o.data[control] |= (uint8_t)(1 << items);
            put_byte(&o, (uint8_t)(packed >> 8));
            put_byte(&o, (uint8_t)packed);
            advance = best_length;
        } else
            put_byte(&o, in[i]);
        items++;
        for (; advance--; i++)
            if (i + MIN_MATCH <= n) {
                unsigned h = hash3(in + i);
                chain[i % WINDOW] = head[h];
                head[h] = (int)i;
            }
    }
    return o;
}

static int lz_expand(const uint8_t *in, size_t n, output *o)
{
    size_t at = 0;
    while (at < n) {
        uint8_t control = in[at++];
        for (int k = 0; k < 8 && at < n; k++, control >>= 1) {
            if (!(control & 1)) {
                put_byte(o, in[at++]);
                continue;
            }
            if (at + 2 > n)
                return -1;
            unsigned packed = (unsigned)in[at] << 8 | in[at + 1], distance = packed >> 6;
            at += 2;
            if (distance == 0 || distance > o->length)
                return -1;
            for (unsigned l = (packed & 63) + MIN_MATCH; l > 0; l--)
                put_byte(o, o->data[o->length - distance]); // may overlap itself
        }
    }
    return 0;
}

struct huffman { int weight, left, right; };

static void code_lengths(const struct huffman *t, int node, int depth, uint8_t *lengths)
{
    if (t[node].left < 0) {
        lengths[node] = (uint8_t)(depth ? depth : 1);
        return;
    }
    code_lengths(t, t[node].left, depth + 1, lengths);
    code_lengths(t, t[node].right, depth + 1, lengths);
}

static void canonical(const uint8_t *lengths, uint32_t *codes)
{
    uint32_t code = 0;
    for (int l = 1; l < 32; l++, code <<= 1)
        for (int s = 0; s < 256; s++)
            if (lengths[s] == l)
                codes[s] = code++;
}

static output huffman_compress(const uint8_t *in, size_t n, uint8_t lengths[256])
{
    struct huffman t[512];
    int active[256], count = 0, next = 256;
    uint32_t codes[256] = {0};
    for (int s = 0; s < 256; s++)
        t[s] = (struct huffman){0, -1, -1};
    for (size_t i = 0; i < n; i++)
        t[in[i]].weight++;
    for (int s = 0; s < 256; s++)
        if (t[s].weight)
            active[count++] = s;
    memset(lengths, 0, 256);
    while (count > 1) {
        int two[2];
        for (int k = 0; k < 2; k++) {
            int low = 0;
            for (int i = 1; i < count; i++)
                if (t[active[i]].weight < t[active[low]].weight)
                    low = i;
            two[k] = active[low];
            active[low] = active[--count];
        }
        t[next] = (struct huffman){t[two[0]].weight + t[two[1]].weight, two[0], two[1]};
        active[count++] = next++;
    }
    if (count)
        code_lengths(t, active[0], 0, lengths);
    canonical(lengths, codes);
    output o = {0};
    for (size_t i = 0; i < n; i++)
        put_bits(&o, codes[in[i]], lengths[in[i]]);
    flush_bits(&o);
    return o;
}

static output huffman_expand(const output *packed, const uint8_t lengths[256], size_t n)
{
    uint32_t codes[256] = {0};
    canonical(lengths, codes);
    input in = {packed->data, packed->length, 0, 0};
    output o = {0};
    while (o.length < n) {
        uint32_t code = 0;
        int length = 0, found = -1, bit;
        while (found < 0 && (bit = get_bit(&in)) >= 0) {
            code = code << 1 | (uint32_t)bit;
            length++;
            for (int s = 0; s < 256 && found < 0; s++)
                if (lengths[s] == length && codes[s] == code)
                    found = s;
        }
        if (found < 0)
            break;
        put_byte(&o, (uint8_t)found);
    }
    return o;
}

static int round_trip(const char *name, const uint8_t *text, size_t n)
{
    uint8_t lengths[256];
    output lz = lz_compress(text, n), packed = huffman_compress(lz.data, lz.length, lengths);
    output unpacked = huffman_expand(&packed, lengths, lz.length), back = {0};
    int bad = unpacked.length != lz.length || (n && memcmp(unpacked.data, lz.data, lz.length) != 0);
    bad += lz_expand(unpacked.data, unpacked.length, &back) != 0;
    bad += back.length != n || (n && memcmp(back.data, text, n) != 0);
    printf("%s: %zu -> %zu -> %zu %s\n", name, n, lz.length, packed.length, bad ? "FAIL" : "ok");
    free(lz.data);
    free(packed.data);
    free(unpacked.data);
    free(back.data);
    return bad;
}

int main(void)
{
    static uint8_t buffer[3000];
    int bad = 0;
    const char *text = "she sells sea shells by the sea shore, the shells she sells are sea shells for sure";
    bad += round_trip("text", (const uint8_t *)text, strlen(text));
    memset(buffer, 'a', sizeof buffer);
    bad += round_trip("runs", buffer, sizeof buffer);
    unsigned r = 1;
    for (size_t i = 0; i < sizeof buffer; i++) {
        r = r * 1103515245u + 12345u;
        buffer[i] = (uint8_t)(r >> 16);
    }
    bad += round_trip("noise", buffer, 600);
    for (size_t i = 0; i < sizeof buffer; i++)
        buffer[i] = (uint8_t)("abcab"[i % 5] + (i % 97 == 0));
    bad += round_trip("pattern", buffer, 2000);
    bad += round_trip("one", buffer, 1);
    bad += round_trip("none", buffer, 0);
    output o = {0};
    bad += lz_expand((const uint8_t *)"\x01\xff\xff", 3, &o) != -1;
    free(o.data);
    printf("%d bad\n", bad);
    return bad != 0;
}
