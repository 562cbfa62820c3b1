// A chess move generator (mailbox board) checked by perft counts.
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { EMPTY, PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING, OUTSIDE = 99 };
enum { WHITE = 1, BLACK = -1 };
enum { CASTLE_WK = 1, CASTLE_WQ = 2, CASTLE_BK = 4, CASTLE_BQ = 8 };

typedef struct {
    signed char square[120]; // 10 wide with borders; positive is white
    signed char side;
    unsigned char castling;
    unsigned char en_passant;
    unsigned char king[2];
} position;

typedef struct { unsigned char from, to; signed char promotion; unsigned char flags; } move;
enum { MOVE_CAPTURE = 1, MOVE_DOUBLE = 2, MOVE_EN_PASSANT = 4, MOVE_CASTLE = 8 };

static const signed char knight_steps[] = {-21, -19, -12, -8, 8, 12, 19, 21, 0};
static const signed char bishop_steps[] = {-11, -9, 9, 11, 0};
static const signed char rook_steps[] = {-10, -1, 1, 10, 0};
static const signed char king_steps[] = {-11, -10, -9, -1, 1, 9, 10, 11, 0};
static const struct { const signed char *steps; int slides; } kinds[] = {
    [KNIGHT] = {knight_steps, 0}, [BISHOP] = {bishop_steps, 1}, [ROOK] = {rook_steps, 1}, [QUEEN] = {king_steps, 1}, [KING] = {king_steps, 0}};

#define SQUARE(file, rank) (21 + (file) + 10 * (rank))
#define SIDE_INDEX(side) ((side) < 0)

static int parse_fen(position *p, const char *fen)
{
    int rank = 7, file = 0;
    memset(p->square, OUTSIDE, sizeof p->square);
    for (int r = 0; r < 8; r++)
        for (int f = 0; f < 8; f++)
            p->square[SQUARE(f, r)] = EMPTY;
    for (; *fen && *fen != ' '; fen++) {
        if (*fen == '/') {
            rank--;
            file = 0;
        } else if (isdigit((unsigned char)*fen)) {
            file += *fen - '0';
        } else {
            const char *names = " pnbrqk", *at = strchr(names, tolower((unsigned char)*fen));
            if (!at || file > 7 || rank < 0)
                return -1;
            int piece = (int)(at - names), side = isupper((unsigned char)*fen) ? WHITE : BLACK;
            p->square[SQUARE(file, rank)] = (signed char)(piece * side);
            if (piece == KING)
                p->king[SIDE_INDEX(side)] = (unsigned char)SQUARE(file, rank);
            file++;
        }
    }
    p->side = fen[1] == 'w' ? WHITE : BLACK;
    p->castling = 0;
    for (fen += 3; *fen && *fen != ' '; fen++)
        switch (*fen) {
        case 'K': p->castling |= CASTLE_WK; break;
        case 'Q': p->castling |= CASTLE_WQ; break;
        case 'k': p->castling |= CASTLE_BK; break;
        case 'q': p->castling |= CASTLE_BQ; break;
        }
    p->en_passant = 0;
    if (*fen && fen[1] >= 'a' && fen[1] <= 'h')
        p->en_passant = (unsigned char)SQUARE(fen[1] - 'a', fen[2] - '1');
    return 0;
}

static int attacked(const position *p, int square, int by)
{
    for (int d = -1; d <= 1; d += 2)
        if (p->square[square - 10 * by + d] == PAWN * by)
            return 1;
    for (int piece = KNIGHT; piece <= KING; piece++)
        for (const signed char *s = kinds[piece].steps; *s; s++)
            for (int at = square + *s;; at += *s) {
                int found = p->square[at];
                if (found == piece * by)
                    return 1;
                if (found != EMPTY || !kinds[piece].slides)
                    break;
            }
    return 0;
}

static int add_pawn(move *list, int n, int from, int to, int flags, int side)
{
    int last = side == WHITE ? to >= SQUARE(0, 7) : to <= SQUARE(7, 0);
    if (!last) {
        list[n++] = (move){(unsigned char)from, (unsigned char)to, 0, (unsigned char)flags};
        return n;
    }
    for (int piece = QUEEN; piece >= KNIGHT; piece--)
        list[n++] = (move){(unsigned char)from, (unsigned char)to, (signed char)(piece * side), (unsigned char)flags};
    return n;
}

static int generate(const position *p, move *list)
{
    int n = 0, side = p->side, forward = 10 * side;
    for (int from = SQUARE(0, 0); from <= SQUARE(7, 7); from++) {
        int piece = p->square[from] * side;
        if (piece <= EMPTY || piece > KING)
            continue;
        if (piece == PAWN) {
            int start = side == WHITE ? from / 10 == 3 : from / 10 == 8;
            if (p->square[from + forward] == EMPTY) {
                n = add_pawn(list, n, from, from + forward, 0, side);
                if (start && p->square[from + 2 * forward] == EMPTY)
                    n = add_pawn(list, n, from, from + 2 * forward, MOVE_DOUBLE, side);
            }
            for (int d = -1; d <= 1; d += 2) {
                int to = from + forward + d, target = p->square[to];
                if (target != OUTSIDE && target * side < 0)
                    n = add_pawn(list, n, from, to, MOVE_CAPTURE, side);
                else if (p->en_passant && to == p->en_passant)
                    n = add_pawn(list, n, from, to, MOVE_EN_PASSANT, side);
            }
            continue;
        }
        for (const signed char *s = kinds[piece].steps; *s; s++)
            for (int to = from + *s; p->square[to] != OUTSIDE; to += *s) {
                int target = p->square[to] * side;
                if (target > 0)
                    break;
                list[n++] = (move){(unsigned char)from, (unsigned char)to, 0, target ? MOVE_CAPTURE : 0};
                if (target || !kinds[piece].slides)
                    break;
            }
    }
    int king = p->king[SIDE_INDEX(side)], rights = side == WHITE ? p->castling & 3 : p->castling >> 2;
    if (rights && !attacked(p, king, -side)) {
        if ((rights & 1) && !p->square[king + 1] && !p->square[king + 2] && !attacked(p, king + 1, -side))
            list[n++] = (move){(unsigned char)king, (unsigned char)(king + 2), 0, MOVE_CASTLE};
        if ((rights & 2) && !p->square[king - 1] && !p->square[king - 2] && !p->square[king - 3] && !attacked(p, king - 1, -side))
            list[n++] = (move){(unsigned char)king, (unsigned char)(king - 2), 0, MOVE_CASTLE};
    }
    return n;
}

static unsigned char rights_lost(int square)
{
    switch (square) {
    case SQUARE(4, 0): return CASTLE_WK | CASTLE_WQ;
    case SQUARE(7, 0): return CASTLE_WK;
    case SQUARE(0, 0): return CASTLE_WQ;
    case SQUARE(4, 7): return CASTLE_BK | CASTLE_BQ;
    case SQUARE(7, 7): return CASTLE_BK;
    case SQUARE(0, 7): return CASTLE_BQ;
    default: return 0;
    }
}

static int make(position *p, move m) // 0 when the mover's king is left in check
{
    int side = p->side, piece = p->square[m.from];
    p->square[m.to] = m.promotion ? m.promotion : (signed char)piece;
    p->square[m.from] = EMPTY;
    p->en_passant = 0;
    if (m.flags & MOVE_DOUBLE)
        p->en_passant = (unsigned char)((m.from + m.to) / 2);
    if (m.flags & MOVE_EN_PASSANT)
        p->square[m.to - 10 * side] = EMPTY;
    if (m.flags & MOVE_CASTLE) {
        int rook_from = m.to > m.from ? m.from + 3 : m.from - 4, rook_to = (m.from + m.to) / 2;
        p->square[rook_to] = p->square[rook_from];
        p->square[rook_from] = EMPTY;
    }
    if (piece * side == KING)
        p->king[SIDE_INDEX(side)] = m.to;
    p->castling &= (unsigned char)~(rights_lost(m.from) | rights_lost(m.to));
    p->side = (signed char)-side;
    return !attacked(p, p->king[SIDE_INDEX(side)], -side);
}

static long perft(const position *p, int depth, long *captures)
{
    move list[256];
    long nodes = 0;
    int n = generate(p, list);
    for (int i = 0; i < n; i++) {
        position next = *p;
        if (!make(&next, list[i]))
            continue;
        if (depth > 1)
            nodes += perft(&next, depth - 1, captures);
        else {
            nodes++;
            *captures += (list[i].flags & (MOVE_CAPTURE | MOVE_EN_PASSANT)) != 0;
        }
    }
    return nodes;
}

int main(void)
{
    static const struct { const char *fen; int depth; long nodes[4]; } cases[] = {
        {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 3, {20, 400, 8902}},
        {"r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 2, {48, 2039}},
        {"8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 3, {14, 191, 2812}},
        {"r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", 3, {6, 264, 9467}},
        {"rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", 2, {44, 1486}}};
    int bad = 0;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        position p;
        if (parse_fen(&p, cases[i].fen) != 0)
            return 2;
        for (int d = 1; d <= cases[i].depth; d++) {
            long captures = 0, nodes = perft(&p, d, &captures);
            printf("%zu depth %d: %ld nodes, %ld captures\n", i, d, nodes, captures);
            bad += nodes != cases[i].nodes[d - 1];
        }
    }
    printf("%d bad\n", bad);
    return bad != 0;
}
