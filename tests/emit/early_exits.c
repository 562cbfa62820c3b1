// run: emit %s
int find(const int *x, int n, int wanted)
{
    for (int i = 0; i < n; i++) {
        if (x[i] < 0)
            continue;
        if (x[i] == wanted)
            return i;
        if (x[i] > 1000)
            break;
    }
    return -1;
}

int nested(int n)
{
    int count = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            if (i * j > 50)
                goto done;
            count++;
        }
done:
    return count;
}
