// A stack virtual machine with a tiny assembler, calls, memory and traps.
#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define OPCODES(X) \
    X(HALT, 0) X(PUSH, 1) X(POP, 0) X(DUP, 0) X(SWAP, 0) X(OVER, 0) X(ADD, 0) X(SUB, 0) X(MUL, 0) X(DIV, 0) X(MOD, 0) \
    X(LT, 0) X(EQ, 0) X(NOT, 0) X(JMP, 1) X(JZ, 1) X(CALL, 1) X(RET, 0) X(LOAD, 0) X(STORE, 0) X(PRINT, 0)

enum opcode {
#define X(name, operands) OP_##name,
    OPCODES(X)
#undef X
    OP_COUNT
};
static const char *const mnemonics[] = {
#define X(name, operands) #name,
    OPCODES(X)
#undef X
};
static const unsigned char operand_count[] = {
#define X(name, operands) operands,
    OPCODES(X)
#undef X
};

enum trap { TRAP_NONE, TRAP_STACK_UNDERFLOW, TRAP_STACK_OVERFLOW, TRAP_DIVIDE, TRAP_MEMORY, TRAP_FUEL, TRAP_OPCODE };

struct vm {
    int32_t code[256];
    int code_size;
    int32_t stack[64], memory[64];
    int calls[32];
    int sp, cp, pc;
    long executed;
    enum trap trap;
};

struct label { char name[16]; int address; };

static int assemble(struct vm *vm, const char *source)
{
    struct label labels[32];
    int label_count = 0;
    for (int pass = 0; pass < 2; pass++) {
        const char *p = source;
        int at = 0;
        while (*p) {
            char word[32];
            int n = 0;
            while (isspace((unsigned char)*p))
                p++;
            if (*p == ';') {
                while (*p && *p != '\n')
                    p++;
                continue;
            }
            while (*p && !isspace((unsigned char)*p) && n < 31)
                word[n++] = *p++;
            word[n] = '\0';
            if (n == 0)
                break;
            if (word[n - 1] == ':') {
                if (pass == 0) {
                    word[n - 1] = '\0';
                    snprintf(labels[label_count].name, sizeof labels[0].name, "%.15s", word);
                    labels[label_count++].address = at;
                }
                continue;
            }
            int32_t value = 0, found = 0;
            for (int op = 0; op < OP_COUNT && !found; op++)
                if (strcmp(word, mnemonics[op]) == 0) {
                    value = op;
                    found = 1;
                }
            if (!found && (isdigit((unsigned char)word[0]) || word[0] == '-')) {
                value = (int32_t)strtol(word, NULL, 0);
                found = 1;
            }
            for (int l = 0; l < label_count && !found; l++)
                if (strcmp(labels[l].name, word) == 0) {
                    value = labels[l].address;
                    found = 1;
                }
            if (!found && pass == 1) {
                printf("unknown word %s\n", word);
                return -1;
            }
            vm->code[at++] = value;
        }
        vm->code_size = at;
    }
    return vm->code_size;
}

#define TRAP(t) do { vm->trap = (t); return; } while (0)
#define NEED(n) do { if (vm->sp < (n)) TRAP(TRAP_STACK_UNDERFLOW); } while (0)
#define ROOM() do { if (vm->sp >= 64) TRAP(TRAP_STACK_OVERFLOW); } while (0)

static void run(struct vm *vm, long fuel)
{
    int32_t a, b;
    vm->sp = vm->cp = vm->pc = 0;
    vm->executed = 0;
    vm->trap = TRAP_NONE;
    memset(vm->memory, 0, sizeof vm->memory);
    while (vm->pc < vm->code_size) {
        if (fuel-- == 0)
            TRAP(TRAP_FUEL);
        vm->executed++;
        int32_t op = vm->code[vm->pc++];
        if (op < 0 || op >= OP_COUNT)
            TRAP(TRAP_OPCODE);
        int32_t operand = operand_count[op] ? vm->code[vm->pc++] : 0;
        switch ((enum opcode)op) {
        case OP_HALT: return;
        case OP_PUSH: ROOM(); vm->stack[vm->sp++] = operand; break;
        case OP_POP: NEED(1); vm->sp--; break;
        case OP_DUP: NEED(1); ROOM(); vm->stack[vm->sp] = vm->stack[vm->sp - 1]; vm->sp++; break;
        case OP_OVER: NEED(2); ROOM(); vm->stack[vm->sp] = vm->stack[vm->sp - 2]; vm->sp++; break;
        case OP_SWAP:
            NEED(2);
            a = vm->stack[vm->sp - 1];
            vm->stack[vm->sp - 1] = vm->stack[vm->sp - 2];
            vm->stack[vm->sp - 2] = a;
            break;
        case OP_ADD: case OP_SUB: case OP_MUL: case OP_DIV: case OP_MOD: case OP_LT: case OP_EQ:
            NEED(2);
            b = vm->stack[--vm->sp];
            a = vm->stack[vm->sp - 1];
            if ((op == OP_DIV || op == OP_MOD) && b == 0)
                TRAP(TRAP_DIVIDE);
            switch (op) {
            case OP_ADD: a = (int32_t)((uint32_t)a + (uint32_t)b); break;
            case OP_SUB: a = (int32_t)((uint32_t)a - (uint32_t)b); break;
            case OP_MUL: a = (int32_t)((uint32_t)a * (uint32_t)b); break;
            case OP_DIV: a /= b; break;
            case OP_MOD: a %= b; break;
            case OP_LT: a = a < b; break;
            default: a = a == b; break;
            }
            vm->stack[vm->sp - 1] = a;
            break;
        case OP_NOT: NEED(1); vm->stack[vm->sp - 1] = !vm->stack[vm->sp - 1]; break;
        case OP_JMP: vm->pc = operand; break;
        case OP_JZ: NEED(1); if (vm->stack[--vm->sp] == 0) vm->pc = operand; break;
        case OP_CALL:
            if (vm->cp == 32)
                TRAP(TRAP_STACK_OVERFLOW);
            vm->calls[vm->cp++] = vm->pc;
            vm->pc = operand;
            break;
        case OP_RET:
            if (vm->cp == 0)
                TRAP(TRAP_STACK_UNDERFLOW);
            vm->pc = vm->calls[--vm->cp];
            break;
        case OP_LOAD:
            NEED(1);
            a = vm->stack[vm->sp - 1];
            if (a < 0 || a >= 64)
                TRAP(TRAP_MEMORY);
            vm->stack[vm->sp - 1] = vm->memory[a];
            break;
        case OP_STORE:
            NEED(2);
            a = vm->stack[--vm->sp];
            if (a < 0 || a >= 64)
                TRAP(TRAP_MEMORY);
            vm->memory[a] = vm->stack[--vm->sp];
            break;
        case OP_PRINT: NEED(1); printf("%d ", vm->stack[--vm->sp]); break;
        case OP_COUNT: TRAP(TRAP_OPCODE);
        }
    }
}

int main(void)
{
    static struct vm vm;
    static const struct { const char *source; enum trap trap; int32_t top; } programs[] = {
        {"; factorial by loop\n PUSH 1 PUSH 10 loop: DUP JZ end DUP PUSH 0 STORE SWAP PUSH 0 LOAD MUL SWAP PUSH 1 SUB JMP loop end: POP DUP PRINT HALT", TRAP_NONE, 3628800},
        {"PUSH 15 CALL fib DUP PRINT HALT fib: DUP PUSH 2 LT JZ rec RET rec: DUP PUSH 1 SUB CALL fib SWAP PUSH 2 SUB CALL fib ADD RET", TRAP_NONE, 610},
        {"PUSH 1071 PUSH 462 gcd: DUP JZ out SWAP OVER MOD JMP gcd out: POP", TRAP_NONE, 21},
        {"PUSH 1 PUSH 0 DIV", TRAP_DIVIDE, 0},
        {"ADD", TRAP_STACK_UNDERFLOW, 0},
        {"again: JMP again", TRAP_FUEL, 0},
        {"PUSH 5 PUSH 99 STORE", TRAP_MEMORY, 0},
        {"more: PUSH 1 JMP more", TRAP_STACK_OVERFLOW, 0},
        {"PUSH 2 loop: DUP PUSH 50 LT JZ done DUP CALL prime JZ skip DUP PRINT skip: PUSH 1 ADD JMP loop done: HALT "
         "prime: PUSH 0 STORE PUSH 2 test: DUP DUP MUL PUSH 0 LOAD SWAP LT NOT JZ yes "
         "DUP PUSH 0 LOAD SWAP MOD JZ no PUSH 1 ADD JMP test yes: POP PUSH 1 RET no: POP PUSH 0 RET", TRAP_NONE, 50}};
    int bad = 0;
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++) {
        if (assemble(&vm, programs[i].source) < 0)
            return 2;
        run(&vm, 100000);
        int32_t top = vm.sp > 0 ? vm.stack[vm.sp - 1] : 0;
        printf("| trap %d top %d after %ld\n", vm.trap, vm.trap ? 0 : top, vm.executed);
        bad += vm.trap != programs[i].trap || (!vm.trap && top != programs[i].top);
    }
    bad += assemble(&vm, "PUSH nowhere") != -1;
    printf("%d bad\n", bad);
    return bad != 0;
}
