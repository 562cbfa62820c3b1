int score(int k);
int walk(unsigned n);
int main(void);

int score(int k)
{
    int s = 0;
    switch (k) {
    case 0:
        s = 1;
        __attribute__((fallthrough));
    case 1:
    case 3:
    case 4:
    case 5: {
        int s_1 = s + 10;
        if (k > 10) break;
        s = s_1;
        break;
    }
    case 7:
        return -k;
    default:
        s = -1;
        break;
    }
    return s;
}

int walk(unsigned n)
{
    int steps = 0;
    do {
        if (n % 2 == 0)
            n /= 2;
        else
            n = n * 3 + 1;
        steps++;
    } while (n != 1);
    return steps;
}

int main(void)
{
    int t = score(0);
    int t1 = t + score(4);
    int t2 = t1 + score(7);
    return t2 + walk(27) != 125;
}
