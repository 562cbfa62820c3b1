// MD5, SHA-256 and CRC-32 with the streaming interface of real libraries.
#include <stdint.h>
#include <stdio.h>
#include <string.h>

struct digest_ops {
    const char *name;
    size_t size;
    void (*init)(void *);
    void (*block)(void *, const uint8_t *);
    void (*finish)(void *, uint8_t *);
    int big_endian;
};

struct digest {
    uint32_t state[8];
    uint64_t length;
    uint8_t buffer[64];
    size_t used;
    const struct digest_ops *ops;
};

static uint32_t rotl(uint32_t x, int n) { return x << n | x >> (32 - n); }
static uint32_t rotr(uint32_t x, int n) { return x >> n | x << (32 - n); }

static const uint32_t sha_k[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be,
    0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa,
    0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85,
    0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3,
    0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f,
    0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

static const uint32_t md5_k[64] = {
    0xd76aa478, 0xe8c7b756, 0x242070db, 0xc1bdceee, 0xf57c0faf, 0x4787c62a, 0xa8304613, 0xfd469501, 0x698098d8, 0x8b44f7af, 0xffff5bb1,
    0x895cd7be, 0x6b901122, 0xfd987193, 0xa679438e, 0x49b40821, 0xf61e2562, 0xc040b340, 0x265e5a51, 0xe9b6c7aa, 0xd62f105d, 0x02441453,
    0xd8a1e681, 0xe7d3fbc8, 0x21e1cde6, 0xc33707d6, 0xf4d50d87, 0x455a14ed, 0xa9e3e905, 0xfcefa3f8, 0x676f02d9, 0x8d2a4c8a, 0xfffa3942,
    0x8771f681, 0x6d9d6122, 0xfde5380c, 0xa4beea44, 0x4bdecfa9, 0xf6bb4b60, 0xbebfbc70, 0x289b7ec6, 0xeaa127fa, 0xd4ef3085, 0x04881d05,
    0xd9d4d039, 0xe6db99e5, 0x1fa27cf8, 0xc4ac5665, 0xf4292244, 0x432aff97, 0xab9423a7, 0xfc93a039, 0x655b59c3, 0x8f0ccc92, 0xffeff47d,
    0x85845dd1, 0x6fa87e4f, 0xfe2ce6e0, 0xa3014314, 0x4e0811a1, 0xf7537e82, 0xbd3af235, 0x2ad7d2bb, 0xeb86d391};

static void sha_init(void *p)
{
    static const uint32_t h[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    memcpy(((struct digest *)p)->state, h, sizeof h);
}

static void sha_block(void *p, const uint8_t *b)
{
    uint32_t w[64], s[8], *h = ((struct digest *)p)->state;
    for (int i = 0; i < 16; i++)
        w[i] = (uint32_t)b[4 * i] << 24 | (uint32_t)b[4 * i + 1] << 16 | (uint32_t)b[4 * i + 2] << 8 | b[4 * i + 3];
    for (int i = 16; i < 64; i++)
        w[i] = w[i - 16] + (rotr(w[i - 15], 7) ^ rotr(w[i - 15], 18) ^ w[i - 15] >> 3) + w[i - 7] + (rotr(w[i - 2], 17) ^ rotr(w[i - 2], 19) ^ w[i - 2] >> 10);
    memcpy(s, h, sizeof s);
    for (int i = 0; i < 64; i++) {
        uint32_t t1 = s[7] + (rotr(s[4], 6) ^ rotr(s[4], 11) ^ rotr(s[4], 25)) + ((s[4] & s[5]) ^ (~s[4] & s[6])) + sha_k[i] + w[i];
        uint32_t t2 = (rotr(s[0], 2) ^ rotr(s[0], 13) ^ rotr(s[0], 22)) + ((s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]));
        memmove(s + 1, s, 7 * sizeof *s);
        s[4] += t1;
        s[0] = t1 + t2;
    }
    for (int i = 0; i < 8; i++)
        h[i] += s[i];
}

static void sha_finish(void *p, uint8_t *out)
{
    const uint32_t *h = ((struct digest *)p)->state;
    for (int i = 0; i < 32; i++)
        out[i] = (uint8_t)(h[i / 4] >> (24 - i % 4 * 8));
}

static void md5_init(void *p)
{
    struct digest *d = p;
    d->state[0] = 0x67452301;
    d->state[1] = 0xefcdab89;
    d->state[2] = 0x98badcfe;
    d->state[3] = 0x10325476;
}

static void md5_block(void *p, const uint8_t *bytes)
{
    static const unsigned char shifts[4][4] = {{7, 12, 17, 22}, {5, 9, 14, 20}, {4, 11, 16, 23}, {6, 10, 15, 21}};
    uint32_t m[16], *h = ((struct digest *)p)->state, a = h[0], b = h[1], c = h[2], d = h[3];
    for (int i = 0; i < 16; i++)
        m[i] = bytes[4 * i] | (uint32_t)bytes[4 * i + 1] << 8 | (uint32_t)bytes[4 * i + 2] << 16 | (uint32_t)bytes[4 * i + 3] << 24;
    for (int i = 0; i < 64; i++) {
        uint32_t f;
        int g;
        switch (i / 16) {
        case 0: f = (b & c) | (~b & d); g = i; break;
        case 1: f = (d & b) | (~d & c); g = (5 * i + 1) % 16; break;
        case 2: f = b ^ c ^ d; g = (3 * i + 5) % 16; break;
        default: f = c ^ (b | ~d); g = 7 * i % 16; break;
        }
        uint32_t t = d;
        d = c;
        c = b;
        b += rotl(a + f + md5_k[i] + m[g], shifts[i / 16][i % 4]);
        a = t;
    }
    h[0] += a, h[1] += b, h[2] += c, h[3] += d;
}

static void md5_finish(void *p, uint8_t *out)
{
    const uint32_t *h = ((struct digest *)p)->state;
    for (int i = 0; i < 16; i++)
        out[i] = (uint8_t)(h[i / 4] >> (i % 4 * 8));
}

static const struct digest_ops md5 = {"md5", 16, md5_init, md5_block, md5_finish, 0};
static const struct digest_ops sha256 = {"sha256", 32, sha_init, sha_block, sha_finish, 1};

static void digest_start(struct digest *d, const struct digest_ops *ops)
{
    memset(d, 0, sizeof *d);
    d->ops = ops;
    ops->init(d);
}

static void digest_update(struct digest *d, const void *data, size_t n)
{
    const uint8_t *p = data;
    d->length += n;
    while (n > 0) {
        size_t take = 64 - d->used < n ? 64 - d->used : n;
        memcpy(d->buffer + d->used, p, take);
        d->used += take;
        p += take;
        n -= take;
        if (d->used == 64) {
            d->ops->block(d, d->buffer);
            d->used = 0;
        }
    }
}

static void digest_finish(struct digest *d, uint8_t *out)
{
    uint64_t bits = d->length * 8;
    uint8_t length[8];
    for (int i = 0; i < 8; i++)
        length[i] = (uint8_t)(bits >> (d->ops->big_endian ? 56 - 8 * i : 8 * i));
    digest_update(d, "\x80", 1);
    while (d->used != 56)
        digest_update(d, "", 1);
    digest_update(d, length, 8);
    d->ops->finish(d, out);
}

static uint32_t crc32(const char *s, size_t n)
{
    static uint32_t table[256];
    if (!table[1])
        for (uint32_t i = 0; i < 256; i++) {
            uint32_t c = i;
            for (int k = 0; k < 8; k++)
                c = c & 1 ? 0xedb88320u ^ c >> 1 : c >> 1;
            table[i] = c;
        }
    uint32_t c = ~0u;
    while (n--)
        c = table[(c ^ (uint8_t)*s++) & 255] ^ c >> 8;
    return ~c;
}

static int check(const struct digest_ops *ops, const char *text, int repeat, const char *expected)
{
    struct digest d;
    uint8_t out[32];
    char hex[65];
    digest_start(&d, ops);
    for (int i = 0; i < repeat; i++)
        digest_update(&d, text, strlen(text));
    digest_finish(&d, out);
    for (size_t i = 0; i < ops->size; i++)
        sprintf(hex + 2 * i, "%02x", out[i]);
    printf("%s %s\n", ops->name, hex);
    return expected && strcmp(hex, expected) != 0;
}

int main(void)
{
    int bad = 0;
    bad += check(&md5, "", 1, "d41d8cd98f00b204e9800998ecf8427e");
    bad += check(&md5, "abc", 1, "900150983cd24fb0d6963f7d28e17f72");
    bad += check(&md5, "1234567890", 8, "57edf4a22be3c955ac49da2e2107b67a");
    bad += check(&sha256, "abc", 1, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    bad += check(&sha256, "", 1, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    bad += check(&sha256, "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 1,
                 "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
    check(&sha256, "streaming in odd pieces ", 100, NULL);
    uint32_t c = crc32("123456789", 9);
    printf("crc %08x\n", c);
    bad += c != 0xcbf43926u;
    printf("%d bad\n", bad);
    return bad != 0;
}
