/* Gives each process a clock of its own: preloaded, it adds what the file FAULTS_CLOCKS/<pid> holds, in nanoseconds,
   to the time of day that the system tells. Monotonic clocks are left alone, as by whoever sets a machine's clock. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static int (*systems)(clockid_t, struct timespec *);
static volatile const long long *offset;

__attribute__((constructor)) static void begin(void) {
    char path[4096];
    const char *folder = getenv("FAULTS_CLOCKS");
    systems = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
    if (!folder) return;
    snprintf(path, sizeof path, "%s/%d", folder, (int)getpid());
    int file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (file < 0) return;
    if (!ftruncate(file, sizeof *offset)) {
        void *there = mmap(0, sizeof *offset, PROT_READ, MAP_SHARED, file, 0);
        if (there != MAP_FAILED) offset = there;
    }
    close(file);
}

int clock_gettime(clockid_t which, struct timespec *told) {
    if (!systems) systems = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
    int failed = systems(which, told);
    if (!failed && offset && (which == CLOCK_REALTIME || which == CLOCK_REALTIME_COARSE)) {
        long long now = told->tv_sec * 1000000000LL + told->tv_nsec + *offset;
        told->tv_sec = now / 1000000000LL;
        told->tv_nsec = now % 1000000000LL;
    }
    return failed;
}

int gettimeofday(struct timeval *restrict told, void *restrict zone) {
    struct timespec now;
    (void)zone;
    if (clock_gettime(CLOCK_REALTIME, &now)) return -1;
    told->tv_sec = now.tv_sec;
    told->tv_usec = now.tv_nsec / 1000;
    return 0;
}

time_t time(time_t *told) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (told) *told = now.tv_sec;
    return now.tv_sec;
}
