// flags: -lm
// Naive Bayes over word counts, log space.
#include "../check.h"
#include <math.h>
#include <string.h>

#define VOCABULARY 8
static const char *words[VOCABULARY] = {"cheap", "offer", "meeting", "report", "win", "team", "free", "code"};
struct document { const char *text; int spam; };
static int word_index(const char *s, size_t n)
{
    for (int i = 0; i < VOCABULARY; i++)
        if (strlen(words[i]) == n && strncmp(words[i], s, n) == 0)
            return i;
    return -1;
}
static void count(const char *text, int counts[VOCABULARY])
{
    memset(counts, 0, VOCABULARY * sizeof counts[0]);
    while (*text) {
        size_t n = strcspn(text, " ");
        int w = word_index(text, n);
        if (w >= 0)
            counts[w]++;
        text += n;
        text += strspn(text, " ");
    }
}

int main(void)
{
    const struct document training[] = {{"cheap offer win free", 1}, {"meeting report team", 0}, {"free free win", 1},
                                        {"code report code", 0}, {"team meeting free code", 0}};
    double log_p[2][VOCABULARY], prior[2] = {0}, total[2] = {0};
    int counts[VOCABULARY], sums[2][VOCABULARY] = {{0}};
    for (size_t d = 0; d < sizeof training / sizeof training[0]; d++) {
        int c = training[d].spam;
        count(training[d].text, counts);
        prior[c]++;
        for (int w = 0; w < VOCABULARY; w++) {
            sums[c][w] += counts[w];
            total[c] += counts[w];
        }
    }
    for (int c = 0; c < 2; c++)
        for (int w = 0; w < VOCABULARY; w++)
            log_p[c][w] = log((sums[c][w] + 1.0) / (total[c] + VOCABULARY));
    const char *tests[] = {"free offer", "team code report", "win meeting"};
    for (int t = 0; t < 3; t++) {
        double score[2];
        count(tests[t], counts);
        for (int c = 0; c < 2; c++) {
            score[c] = log(prior[c] / 5);
            for (int w = 0; w < VOCABULARY; w++)
                score[c] += counts[w] * log_p[c][w];
        }
        double p = 1 / (1 + exp(score[0] - score[1]));
        printf("%s %.8f\n", tests[t], p);
        CHECK(t == 0 ? p > 0.5 : t == 1 ? p < 0.5 : 1);
    }
    return check_done();
}
