/* A file layer that notes, in order, what a process does to the files of one folder: creations, writes, truncations, syncs, removals
 * and renamings. Loaded with LD_PRELOAD; DISK_FOLDER names the folder, DISK_LOG the file that takes the notes.
 *
 * One note: kind (1 byte), length of the name (4), offset (8), length of the data (8), the name, the data. Little-endian.
 * A note is written while a lock is held around the call itself, so the order of notes is the order of what happened.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define MOST 1024

static char *names[MOST];
static int log_fd = -1;
static const char *folder;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void put(const void *data, size_t size) {
    const char *at = data;
    while (size > 0) {
        long done = syscall(SYS_write, log_fd, at, size);
        if (done <= 0) _exit(99);
        at += done;
        size -= (size_t)done;
    }
}

static void note(char kind, const char *name, uint64_t offset, const void *data, uint64_t size) {
    uint32_t length = (uint32_t)strlen(name);
    char head[21];
    head[0] = kind;
    memcpy(head + 1, &length, 4);
    memcpy(head + 5, &offset, 8);
    memcpy(head + 13, &size, 8);
    put(head, sizeof head);
    put(name, length);
    if (size) put(data, size);
}

__attribute__((constructor)) static void start(void) {
    folder = getenv("DISK_FOLDER");
    const char *log = getenv("DISK_LOG");
    if (folder && log) log_fd = (int)syscall(SYS_openat, AT_FDCWD, log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
}

static int ours(const char *path) {
    return log_fd >= 0 && strncmp(path, folder, strlen(folder)) == 0;
}

static const char *of(int fd) {
    return fd >= 0 && fd < MOST ? names[fd] : NULL;
}

static int open_and_note(const char *path, int flags, mode_t mode) {
    if (!ours(path)) return (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
    pthread_mutex_lock(&lock);
    int is_new = (flags & O_CREAT) && access(path, F_OK) != 0;
    int fd = (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
    if (fd >= 0 && fd < MOST) {
        names[fd] = strdup(path);
        if (is_new) note('c', path, 0, NULL, 0);
        else if (flags & O_TRUNC) note('t', path, 0, NULL, 0);
    }
    pthread_mutex_unlock(&lock);
    return fd;
}

#define OPEN(name)                                                    \
    int name(const char *path, int flags, ...) {                      \
        va_list rest;                                                 \
        va_start(rest, flags);                                        \
        mode_t mode = (flags & O_CREAT) ? va_arg(rest, mode_t) : 0;   \
        va_end(rest);                                                 \
        return open_and_note(path, flags, mode);                      \
    }
OPEN(open)
OPEN(open64)

int close(int fd) {
    pthread_mutex_lock(&lock);
    if (of(fd)) {
        free(names[fd]);
        names[fd] = NULL;
    }
    int answer = (int)syscall(SYS_close, fd);
    pthread_mutex_unlock(&lock);
    return answer;
}

static ssize_t write_and_note(int fd, const void *data, size_t size, off_t offset) {
    pthread_mutex_lock(&lock);
    off_t at = offset;
    if (offset < 0) at = of(fd) ? lseek(fd, 0, SEEK_CUR) : 0;
    ssize_t done = offset < 0 ? syscall(SYS_write, fd, data, size) : syscall(SYS_pwrite64, fd, data, size, offset);
    if (done > 0 && of(fd)) note('w', of(fd), (uint64_t)at, data, (uint64_t)done);
    pthread_mutex_unlock(&lock);
    return done;
}

ssize_t write(int fd, const void *data, size_t size) { return of(fd) ? write_and_note(fd, data, size, -1) : syscall(SYS_write, fd, data, size); }
ssize_t pwrite(int fd, const void *data, size_t size, off_t at) { return write_and_note(fd, data, size, at); }
ssize_t pwrite64(int fd, const void *data, size_t size, off_t at) { return write_and_note(fd, data, size, at); }

static int truncate_and_note(int fd, off_t size) {
    pthread_mutex_lock(&lock);
    int answer = (int)syscall(SYS_ftruncate, fd, size);
    if (answer == 0 && of(fd)) note('t', of(fd), (uint64_t)size, NULL, 0);
    pthread_mutex_unlock(&lock);
    return answer;
}

int ftruncate(int fd, off_t size) { return truncate_and_note(fd, size); }
int ftruncate64(int fd, off_t size) { return truncate_and_note(fd, size); }

static int sync_and_note(int fd, long call) {
    pthread_mutex_lock(&lock);
    int answer = (int)syscall(call, fd);
    if (answer == 0 && of(fd)) note('s', of(fd), 0, NULL, 0);
    pthread_mutex_unlock(&lock);
    return answer;
}

int fsync(int fd) { return sync_and_note(fd, SYS_fsync); }
int fdatasync(int fd) { return sync_and_note(fd, SYS_fdatasync); }

int unlink(const char *path) {
    pthread_mutex_lock(&lock);
    int answer = (int)syscall(SYS_unlinkat, AT_FDCWD, path, 0);
    if (answer == 0 && ours(path)) note('u', path, 0, NULL, 0);
    pthread_mutex_unlock(&lock);
    return answer;
}

int rename(const char *from, const char *to) {
    pthread_mutex_lock(&lock);
    int answer = (int)syscall(SYS_renameat, AT_FDCWD, from, AT_FDCWD, to);
    if (answer == 0 && ours(from)) note('r', from, 0, to, strlen(to));
    pthread_mutex_unlock(&lock);
    return answer;
}
