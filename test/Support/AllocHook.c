// A library for LD_PRELOAD that counts the calls by which a program can get
// memory. The program marks intervals by calling llmc_mark_interval(NAME), if
// it finds that function, which ends the interval since the last mark; at exit
// the hook writes a line "alloc-hook: NAME N calls M bytes" for each interval
// to the file named by ALLOC_HOOK_OUTPUT.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

static atomic_long calls, bytes;

enum { maxIntervals = 4096, nameBytes = 16 };
static struct {
  char name[nameBytes];
  long calls, bytes;
} intervals[maxIntervals];
static int intervalCount;

enum { maxMappings = 4096 };
static size_t mappings[maxMappings];
static atomic_int mappingCount;

static void count(size_t size) {
  atomic_fetch_add(&calls, 1);
  atomic_fetch_add(&bytes, (long)size);
}

void *malloc(size_t size) {
  count(size);
  return __libc_malloc(size);
}

void *calloc(size_t n, size_t size) {
  count(n * size);
  return __libc_calloc(n, size);
}

void *realloc(void *old, size_t size) {
  count(size);
  return __libc_realloc(old, size);
}

void *memalign(size_t alignment, size_t size) {
  count(size);
  return __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
  return memalign(alignment, size);
}

int posix_memalign(void **out, size_t alignment, size_t size) {
  *out = memalign(alignment, size);
  return *out ? 0 : ENOMEM;
}

void *mmap(void *at, size_t size, int protection, int flags, int file,
           off_t offset) {
  count(size);
  if (flags & MAP_ANONYMOUS) {
    int place = atomic_fetch_add(&mappingCount, 1);
    if (place < maxMappings)
      mappings[place] = size;
  }
  return (void *)syscall(SYS_mmap, at, size, protection, flags, file, offset);
}

void *mmap64(void *at, size_t size, int protection, int flags, int file,
             off_t offset) {
  return mmap(at, size, protection, flags, file, offset);
}

void llmc_mark_interval(const char *name) {
  if (intervalCount == maxIntervals)
    return;
  strncpy(intervals[intervalCount].name, name, nameBytes - 1);
  intervals[intervalCount].calls = atomic_exchange(&calls, 0);
  intervals[intervalCount].bytes = atomic_exchange(&bytes, 0);
  ++intervalCount;
}

__attribute__((destructor)) static void report(void) {
  const char *path = getenv("ALLOC_HOOK_OUTPUT");
  int file = path ? open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666) : -1;
  if (file < 0)
    return;
  for (int i = 0; i < intervalCount; ++i)
    dprintf(file, "alloc-hook: %s %ld calls %ld bytes\n", intervals[i].name,
            intervals[i].calls, intervals[i].bytes);
  for (int i = 0; i < mappingCount && i < maxMappings; ++i)
    dprintf(file, "alloc-hook: anonymous %zu bytes\n", mappings[i]);
  close(file);
}
