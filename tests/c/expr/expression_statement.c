// GNU statement expressions nested in ordinary ones.
#include "../check.h"

#define MAX(a, b) ({ __typeof__(a) a_ = (a); __typeof__(b) b_ = (b); a_ > b_ ? a_ : b_; })
#define SUM_TO(n) ({ int s_ = 0; for (int i_ = 1; i_ <= (n); i_++) s_ += i_; s_; })

static int first_multiple(int of, int above)
{
    return ({
        int k = above;
        while (k % of)
            k++;
        k;
    });
}

int main(void)
{
    int x = 3;
    CHECK(MAX(x++, 2) == 3 && x == 4);
    CHECK(MAX(1.5, 2) == 2.0);
    CHECK(MAX(MAX(1, 7), MAX(4, 5)) == 7);
    CHECK(SUM_TO(10) + SUM_TO(4) == 65);
    CHECK(first_multiple(7, 50) == 56);
    int y = ({ int t = x; t *= t; t; }) + ({ x = 10; x; });
    CHECK(y == 26 && x == 10);
    int found = 0;
    for (int i = 0; i < 100; i++)
        if (({ int q = i * i; q > 200 && q % 9 == 0; })) {
            found = i;
            break;
        }
    CHECK(found == 15);
    int early = ({
        int r;
        if (x > 5)
            r = 1;
        else
            r = 2;
        r;
    });
    CHECK(early == 1);
    ({ ; });
    printf("%d %d\n", y, found);
    return check_done();
}
