// A text adventure driven by tables and a scripted player.
#include <stdio.h>
#include <string.h>

enum room { HALL, KITCHEN, GARDEN, CELLAR, VAULT, ROOM_COUNT, NOWHERE = -1, CARRIED = -2 };
enum direction { NORTH, EAST, SOUTH, WEST, UP, DOWN, DIRECTION_COUNT };
enum item { LAMP, KEY, BREAD, GOLD, ITEM_COUNT };
enum state { PLAYING, WON, LOST, QUIT };
enum { FLAG_LIT = 1 << 0, FLAG_UNLOCKED = 1 << 1, FLAG_FED = 1 << 2 };

struct game;
typedef void action(struct game *g, int item);

struct room_info { const char *name; signed char exits[DIRECTION_COUNT]; unsigned dark : 1, locked : 1; };
struct item_info { const char *name; signed char start; unsigned short weight; };
struct verb { const char *word; action *run; int needs_item; };

struct game {
    enum state state;
    enum room at;
    signed char where[ITEM_COUNT];
    unsigned flags;
    int turns, score, errors;
};

static const struct room_info rooms[ROOM_COUNT] = {
    [HALL] = {"hall", {GARDEN, KITCHEN, NOWHERE, NOWHERE, NOWHERE, CELLAR}, 0, 0},
    [KITCHEN] = {"kitchen", {NOWHERE, NOWHERE, NOWHERE, HALL, NOWHERE, NOWHERE}, 0, 0},
    [GARDEN] = {"garden", {NOWHERE, NOWHERE, HALL, NOWHERE, NOWHERE, NOWHERE}, 0, 0},
    [CELLAR] = {"cellar", {NOWHERE, VAULT, NOWHERE, NOWHERE, HALL, NOWHERE}, 1, 0},
    [VAULT] = {"vault", {NOWHERE, NOWHERE, NOWHERE, CELLAR, NOWHERE, NOWHERE}, 1, 1}};
static const struct item_info items[ITEM_COUNT] = {{"lamp", KITCHEN, 2}, {"key", GARDEN, 1}, {"bread", KITCHEN, 1}, {"gold", VAULT, 8}};
static const char *const directions[DIRECTION_COUNT] = {"north", "east", "south", "west", "up", "down"};

static int can_see(const struct game *g) { return !rooms[g->at].dark || ((g->flags & FLAG_LIT) && g->where[LAMP] == CARRIED); }

static int carried_weight(const struct game *g)
{
    int w = 0;
    for (int i = 0; i < ITEM_COUNT; i++)
        if (g->where[i] == CARRIED)
            w += items[i].weight;
    return w;
}

static void look(struct game *g, int item)
{
    (void)item;
    if (!can_see(g)) {
        puts("  It is dark.");
        return;
    }
    printf("  You are in the %s.", rooms[g->at].name);
    const char *separator = " You see";
    for (int i = 0; i < ITEM_COUNT; i++)
        if (g->where[i] == (signed char)g->at) {
            printf("%s %s", separator, items[i].name);
            separator = ",";
        }
    printf("%s\n", *separator == ',' ? "." : "");
}

static void take(struct game *g, int item)
{
    if (g->where[item] != (signed char)g->at || !can_see(g)) {
        printf("  No %s here.\n", items[item].name);
        g->errors++;
    } else if (carried_weight(g) + items[item].weight > 10) {
        puts("  Too heavy.");
        g->errors++;
    } else {
        g->where[item] = CARRIED;
        g->score += item == GOLD ? 50 : 5;
        printf("  Taken: %s.\n", items[item].name);
    }
}

static void drop(struct game *g, int item)
{
    if (g->where[item] != CARRIED) {
        puts("  You do not have it.");
        g->errors++;
        return;
    }
    g->where[item] = (signed char)g->at;
    printf("  Dropped: %s.\n", items[item].name);
}

static void use(struct game *g, int item)
{
    if (g->where[item] != CARRIED) {
        puts("  You do not have it.");
        g->errors++;
        return;
    }
    switch (item) {
    case LAMP:
        g->flags ^= FLAG_LIT;
        printf("  The lamp is %s.\n", g->flags & FLAG_LIT ? "lit" : "out");
        break;
    case KEY:
        if (g->at == CELLAR && can_see(g)) {
            g->flags |= FLAG_UNLOCKED;
            puts("  The vault door opens.");
            break;
        }
        /* fall through */
    default:
        puts("  Nothing happens.");
        break;
    case BREAD:
        g->flags |= FLAG_FED;
        g->where[BREAD] = NOWHERE;
        puts("  Tasty.");
    }
}

static void quit(struct game *g, int item)
{
    (void)item;
    g->state = QUIT;
}

static const struct verb verbs[] = {{"look", look, 0}, {"take", take, 1}, {"drop", drop, 1}, {"use", use, 1}, {"quit", quit, 0}, {0}};

static int find_word(const char *word, const char *const *list, int n)
{
    while (n-- > 0)
        if (strcmp(list[n], word) == 0)
            return n;
    return -1;
}

static void move(struct game *g, enum direction d)
{
    signed char to = rooms[g->at].exits[d];
    if (to == NOWHERE) {
        puts("  You cannot go there.");
        g->errors++;
        return;
    }
    if (rooms[to].locked && !(g->flags & FLAG_UNLOCKED)) {
        puts("  It is locked.");
        g->errors++;
        return;
    }
    if (!can_see(g) && rooms[to].dark) {
        puts("  You stumble in the dark and fall.");
        g->state = LOST;
        return;
    }
    g->at = (enum room)to;
    look(g, 0);
    if (g->at == GARDEN && g->where[GOLD] == CARRIED)
        g->state = WON;
}

static void command(struct game *g, char *line)
{
    char *word = strtok(line, " "), *object = strtok(NULL, " ");
    printf("> %s%s%s\n", word, object ? " " : "", object ? object : "");
    g->turns++;
    int d = find_word(word, directions, DIRECTION_COUNT);
    if (d >= 0) {
        move(g, (enum direction)d);
        return;
    }
    for (const struct verb *v = verbs; v->word; v++) {
        if (strcmp(v->word, word) != 0)
            continue;
        int item = -1;
        for (int i = 0; object && i < ITEM_COUNT; i++)
            if (strcmp(items[i].name, object) == 0)
                item = i;
        if (v->needs_item && item < 0) {
            printf("  %s what?\n", word);
            g->errors++;
        } else
            v->run(g, item);
        return;
    }
    puts("  I do not understand.");
    g->errors++;
}

static struct game play(const char *script)
{
    struct game g = {.state = PLAYING, .at = HALL};
    char line[40];
    for (int i = 0; i < ITEM_COUNT; i++)
        g.where[i] = items[i].start;
    while (g.state == PLAYING && *script) {
        size_t n = strcspn(script, ";");
        memcpy(line, script, n);
        line[n] = '\0';
        script += n + (script[n] == ';');
        command(&g, line);
    }
    static const char *const endings[] = {"still playing", "won", "lost", "quit"};
    printf("== %s after %d turns, score %d, errors %d\n", endings[g.state], g.turns, g.score, g.errors);
    return g;
}

int main(void)
{
    struct game a = play("look;east;take lamp;take bread;use bread;take bread;west;north;take key;south;dance;down;east;use lamp;use key;look;east;"
                         "take gold;drop key;take gold;west;up;north");
    struct game b = play("down;east;up;south;take;quit;look");
    struct game c = play("east;take lamp;use lamp;west;north;take key;south;down;use key;use lamp;east");
    int bad = 0;
    bad += a.state != WON || a.score != 65;
    bad += b.state != QUIT || b.turns != 6;
    bad += c.state != LOST;
    printf("%d bad\n", bad);
    return bad != 0;
}
