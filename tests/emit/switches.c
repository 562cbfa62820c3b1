// run: emit %s
int classify(int c)
{
    switch (c) {
    case '0' ... '9':
        return 1;
    case ' ':
    case '\t':
        return 2;
    case 'e':
        c++;
        /* fall through */
    case 'f':
        return c;
    default:
        break;
    }
    return 0;
}
