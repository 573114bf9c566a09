/* The yardstick: what a hand-made explorer in C reaches on the same states.
 *
 * Breadth first, level by level. Exact: the visited set holds whole states, in open addressing with one
 * atomic step an insertion. It knows its size beforehand, fetches the places of a batch of successors
 * before it looks at them, and asks for huge pages. The header MODEL gives the model; THREADS is fixed
 * when it is compiled, so that one thread pays nothing for there being others.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>
#include MODEL

enum { BATCH = 32, SHARE = 1024 };

/* A slot holds a state plus one, so that an empty slot is zero. No state has all bits set: a worker's
 * step ends before the largest number of its bits. */
static state_t *table;
static uint64_t mask, room;
static uint64_t taken __attribute__((aligned(128)));
static int turn, finished;
static pthread_barrier_t barrier;

/* What one thread has: its part of this level and of the next, and its counts; no two share a cache line. */
static struct part {
    state_t *states[2];
    uint64_t length[2], transitions, bad;
} __attribute__((aligned(128))) parts[THREADS];

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void *pages(size_t bytes) {
    void *p = mmap(0, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (p == MAP_FAILED) { perror("mmap"); exit(2); }
    madvise(p, bytes, MADV_HUGEPAGE);
    return p;
}

static inline uint64_t mixed(uint64_t x) {
    x ^= x >> 32; x *= 0xd6e8feb86659fd93ULL;
    x ^= x >> 29; x *= 0xd6e8feb86659fd93ULL;
    return x ^ x >> 32;
}

#if WORDS == 1
static inline uint64_t hashed(state_t s) { return mixed(s); }
static inline state_t load(state_t *slot) { return __atomic_load_n(slot, __ATOMIC_RELAXED); }
#else
static inline uint64_t hashed(state_t s) { return mixed((uint64_t)s ^ mixed((uint64_t)(s >> 64))); }
/* Both words are written in one step and the low one of a full slot is never zero. It is read first: if it is
 * there, so is the high one. */
static inline state_t load(state_t *slot) {
    uint64_t *half = (uint64_t *)slot;
    uint64_t low = __atomic_load_n(half, __ATOMIC_ACQUIRE);
    return low ? (state_t)__atomic_load_n(half + 1, __ATOMIC_ACQUIRE) << 64 | low : 0;
}
#endif

/* Whether the empty slot was filled; otherwise *seen is what somebody else put there. */
static inline int fill(state_t *slot, state_t value, state_t *seen) {
#if THREADS == 1
    (void)seen;
    *slot = value;
    return 1;
#else
    *seen = __sync_val_compare_and_swap(slot, (state_t)0, value);
    return *seen == 0;
#endif
}

static void full(const char *what) {
    fprintf(stderr, "the %s is full\n", what);
    exit(2);
}

static inline int insert(state_t state, uint64_t home) {
    state_t value = state + 1, seen;
    for (uint64_t at = home;;) {
        seen = load(&table[at]);
        if (!seen && fill(&table[at], value, &seen)) return 1;
        if (seen == value) return 0;
        at = (at + 1) & mask;
        if (at == home) full("table");
    }
}

/* Expand `count` states; returns how many of their successors are new, which are written to `to`. */
static inline uint64_t batch(int me, const state_t *from, int count, state_t *to) {
    static __thread state_t out[BATCH * FANOUT];
    static __thread uint64_t at[BATCH * FANOUT];
    int n = 0;
    uint64_t fresh = 0;
    for (int i = 0; i < count; i++) {
        int more = expand(from[i], out + n);
        for (int j = n; j < n + more; j++) {
            at[j] = hashed(out[j]) & mask;
            __builtin_prefetch(&table[at[j]], 1);
        }
        n += more;
    }
    for (int j = 0; j < n; j++)
        if (insert(out[j], at[j])) {
            to[fresh++] = out[j];
            parts[me].bad += (uint64_t)violates(out[j]);
        }
    parts[me].transitions += (uint64_t)n;
    return fresh;
}

/* Take shares of one part of the frontier until there are none left. */
static uint64_t shares(int me, const state_t *from, uint64_t start, uint64_t length, uint64_t *share, state_t *to) {
    uint64_t fresh = 0;
    for (; *share < start + length; *share = __atomic_fetch_add(&taken, SHARE, __ATOMIC_RELAXED)) {
        uint64_t begin = *share - start, end = begin + SHARE < length ? begin + SHARE : length;
        for (uint64_t i = begin; i < end; i += BATCH) {
            if (fresh + BATCH * FANOUT > room) full("frontier");
            fresh += batch(me, from + i, (int)(end - i < BATCH ? end - i : BATCH), to + fresh);
        }
    }
    return fresh;
}

static void level(int me) {
    uint64_t start = 0, fresh = 0, share = __atomic_fetch_add(&taken, SHARE, __ATOMIC_RELAXED);
    for (int i = 0; i < THREADS; i++) {
        uint64_t length = parts[i].length[turn];
        fresh += shares(me, parts[i].states[turn], start, length, &share, parts[me].states[!turn] + fresh);
        start += (length + SHARE - 1) / SHARE * SHARE;
    }
    parts[me].length[!turn] = fresh;
}

static void *worker(void *me) {
    for (;;) {
        pthread_barrier_wait(&barrier);
        if (finished) return 0;
        level((int)(intptr_t)me);
        pthread_barrier_wait(&barrier);
    }
}

static uint64_t frontier(void) {
    uint64_t size = 0;
    for (int i = 0; i < THREADS; i++) size += parts[i].length[turn];
    return size;
}

int main(int argc, char **argv) {
    uint64_t slots = 1ULL << (argc > 1 ? atoi(argv[1]) : 20);
    pthread_t threads[THREADS];
    double began = now();
    mask = slots - 1;
    room = slots / 2 + BATCH * FANOUT;
    table = pages(slots * sizeof(state_t));
    for (int i = 0; i < 2 * THREADS; i++) parts[i / 2].states[i % 2] = pages(room * sizeof(state_t));
    pthread_barrier_init(&barrier, 0, THREADS);
    for (int i = 1; i < THREADS; i++) pthread_create(&threads[i], 0, worker, (void *)(intptr_t)i);
    insert(START, hashed(START) & mask);
    parts[0].states[0][0] = START;
    parts[0].length[0] = 1;
    parts[0].bad = (uint64_t)violates(START);
    uint64_t states = 0, transitions = 0, bad = 0;
    int depth = -1;
    for (uint64_t size; (size = frontier()); depth++) {
        states += size;
        if (states > slots / 8 * 7) full("table");
        taken = 0;
        pthread_barrier_wait(&barrier);
        level(0);
        pthread_barrier_wait(&barrier);
        turn = !turn;
    }
    finished = 1;
    pthread_barrier_wait(&barrier);
    for (int i = 1; i < THREADS; i++) pthread_join(threads[i], 0);
    for (int i = 0; i < THREADS; i++) transitions += parts[i].transitions, bad += parts[i].bad;
    printf("{\"states\": %lu, \"transitions\": %lu, \"depth\": %d, \"violating\": %lu, \"seconds\": %.6f}\n",
           (unsigned long)states, (unsigned long)transitions, depth, (unsigned long)bad, now() - began);
    return 0;
}
