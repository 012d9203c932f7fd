/* The kernels of the heroes' scene in C, for a comparison: what a compiler makes of the plain loop,
 * and what one writes by hand with AVX2 intrinsics. The program is told what to do, and answers, as
 * the other contenders of go run ./bench/compare; its argument is O3 or AVX2. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#ifdef __AVX2__
#include <immintrin.h>
#endif

typedef struct {
	size_t n;
	float *place, *pace, *limit;
} heroes;

typedef void work(heroes *h);

static void move_plain(heroes *h)
{
	float *restrict p = h->place, *restrict v = h->pace;
	for (size_t i = 0; i < h->n; i++) {
		p[3 * i] += v[i];
		p[3 * i + 1] += v[i];
		p[3 * i + 2] += v[i];
	}
}

static void fly_plain(heroes *h)
{
	float *restrict p = h->place, *restrict v = h->pace, *restrict limit = h->limit;
	for (size_t i = 0; i < h->n; i++) {
		float d = v[i] < limit[i] ? v[i] * 2 : limit[i];
		p[3 * i] += d;
		p[3 * i + 1] += d;
		p[3 * i + 2] += d;
	}
}

static void update_plain(heroes *h)
{
	float *restrict p = h->place;
	for (size_t i = 0; i < 3 * h->n; i++)
		p[i] *= 2;
}

#ifdef __AVX2__
/* add3 adds each of eight values to three floats in turn. */
static inline void add3(float *p, __m256 v)
{
	const __m256i low = _mm256_setr_epi32(0, 0, 0, 1, 1, 1, 2, 2);
	const __m256i middle = _mm256_setr_epi32(2, 3, 3, 3, 4, 4, 4, 5);
	const __m256i high = _mm256_setr_epi32(5, 5, 6, 6, 6, 7, 7, 7);
	_mm256_storeu_ps(p, _mm256_add_ps(_mm256_loadu_ps(p), _mm256_permutevar8x32_ps(v, low)));
	_mm256_storeu_ps(p + 8,
		_mm256_add_ps(_mm256_loadu_ps(p + 8), _mm256_permutevar8x32_ps(v, middle)));
	_mm256_storeu_ps(p + 16,
		_mm256_add_ps(_mm256_loadu_ps(p + 16), _mm256_permutevar8x32_ps(v, high)));
}

/* rest is the part of h from component i on. */
static heroes rest(heroes *h, size_t i)
{
	heroes r = {h->n - i, h->place + 3 * i, h->pace + i, h->limit + i};
	return r;
}

static void move_avx2(heroes *h)
{
	size_t i = 0, n = h->n; /* in registers: stores of vectors may alias h */
	float *restrict p = h->place, *restrict v = h->pace;
	for (; i + 8 <= n; i += 8)
		add3(p + 3 * i, _mm256_loadu_ps(v + i));
	heroes r = rest(h, i);
	move_plain(&r);
}

static void fly_avx2(heroes *h)
{
	size_t i = 0, n = h->n;
	float *restrict p = h->place, *restrict v = h->pace, *restrict limit = h->limit;
	for (; i + 8 <= n; i += 8) {
		__m256 x = _mm256_loadu_ps(v + i), most = _mm256_loadu_ps(limit + i);
		__m256 less = _mm256_cmp_ps(x, most, _CMP_LT_OQ);
		add3(p + 3 * i, _mm256_blendv_ps(most, _mm256_add_ps(x, x), less));
	}
	heroes r = rest(h, i);
	fly_plain(&r);
}

static void update_avx2(heroes *h)
{
	size_t i = 0, n = 3 * h->n;
	float *restrict p = h->place;
	const __m256 two = _mm256_set1_ps(2);
	for (; i + 32 <= n; i += 32)
		for (int k = 0; k < 32; k += 8)
			_mm256_storeu_ps(p + i + k, _mm256_mul_ps(_mm256_loadu_ps(p + i + k), two));
	for (; i < n; i++)
		p[i] *= 2;
}
#endif

static const struct {
	const char *variant, *name;
	work *run;
} works[] = {
	{"O3", "kernel_move", move_plain},
	{"O3", "kernel_fly", fly_plain},
	{"O3", "kernel_update", update_plain},
#ifdef __AVX2__
	{"AVX2", "kernel_move", move_avx2},
	{"AVX2", "kernel_fly", fly_avx2},
	{"AVX2", "kernel_update", update_avx2},
#endif
};

static work *find(const char *variant, const char *name)
{
	for (size_t i = 0; i < sizeof works / sizeof works[0]; i++)
		if (!strcmp(works[i].variant, variant) && !strcmp(works[i].name, name))
			return works[i].run;
	return NULL;
}

/* column returns n floats in huge pages, where there are some. */
static float *column(size_t n)
{
	const size_t huge = 2 << 20;
	size_t size = (n * sizeof(float) + huge - 1) / huge * huge;
	float *column = aligned_alloc(huge, size);
	if (!column)
		exit(1);
	madvise(column, size, MADV_HUGEPAGE);
	memset(column, 0, size);
	return column;
}

static void prepare(heroes *h, work *run, size_t n)
{
	free(h->place);
	free(h->pace);
	free(h->limit);
	h->n = n;
	h->place = column(3 * n);
	h->pace = column(n);
	h->limit = column(n);
	for (size_t i = 0; i < n; i++) {
		h->place[3 * i] = (float)(i % 4);
		h->pace[i] = (float)(i % 8) / 2;
		h->limit[i] = (float)(i % 3);
	}
	for (int i = 0; i < 3; i++)
		run(h);
	double sum = 0;
	for (size_t i = 0; i < 3 * n; i++)
		sum += (double)h->place[i] * (1 << i % 3);
	printf("{\"Count\": %zu, \"Sum\": %.17g}\n", n, sum);
}

static double now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t); /* programs beside this one do not count */
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

/* turn works for some nanoseconds, and says how many one component takes. */
static void turn(heroes *h, work *run, double budget)
{
	size_t runs = 0, repeats = 1 + 100000 / (h->n + 1);
	double start = now(), spent;
	do {
		for (size_t i = 0; i < repeats; i++)
			run(h);
		runs += repeats;
		spent = now() - start;
	} while (spent < budget);
	printf("{\"Nanoseconds\": %.17g}\n", spent / (double)runs / (double)h->n);
}

int main(int argc, char **argv)
{
	heroes h = {0};
	work *run = NULL;
	char line[256], name[64];
	size_t n;
	double budget;
	while (argc == 2 && fgets(line, sizeof line, stdin)) {
		if (sscanf(line, "prepare %63s %zu", name, &n) == 2 && (run = find(argv[1], name)))
			prepare(&h, run, n);
		else if (sscanf(line, "turn %lf", &budget) == 1 && run)
			turn(&h, run, budget);
		else
			printf("{\"Error\": \"not known to this program\"}\n");
		fflush(stdout);
	}
	return 0;
}
