// As much of an Arduino as the sketch needs: its serial port is standard input and output, its buttons are letters on the descriptor that it is told
// (L and R close a contact, l and r open it, and call the sketch's interrupt as the chip does).
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <poll.h>
#include <unistd.h>

enum { LOW, HIGH, INPUT_PULLUP, CHANGE };

static int levels[8] = {HIGH, HIGH, HIGH, HIGH, HIGH, HIGH, HIGH, HIGH};
static void (*handlers[8])() = {};

unsigned long micros() {
    timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint32_t)(now.tv_sec * 1000000ULL + now.tv_nsec / 1000);
}
unsigned long millis() {
    timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000ULL + now.tv_nsec / 1000000;
}
void pinMode(int, int) {}
int digitalRead(int pin) { return levels[pin]; }
int digitalPinToInterrupt(int pin) { return pin; }
void attachInterrupt(int pin, void (*handler)(), int) { handlers[pin] = handler; }
void noInterrupts() {}
void interrupts() {}

static bool ready(int descriptor) {
    pollfd one = {descriptor, POLLIN, 0};
    return poll(&one, 1, 0) == 1 && (one.revents & POLLIN);
}

struct SerialPort {
    void begin(long) {}
    int available() { return ready(0); }
    int read() {
        char c = 0;
        return ::read(0, &c, 1) == 1 ? c : -1;
    }
    void print(const char *text) {
        if (::write(1, text, strlen(text)) < 0) exit(0);
    }
} Serial;

#include SKETCH

int main(int, char **words) {
    const int buttons = atoi(words[1]);
    setup();
    for (;;) {
        pollfd both[] = {{0, POLLIN, 0}, {buttons, POLLIN, 0}};
        poll(both, 2, 20);
        if (both[1].revents & POLLHUP) return 0;
        while (ready(buttons)) {  // interrupts come whatever loop() has to do
            char letter;
            if (::read(buttons, &letter, 1) != 1) return 0;
            const int pin = (letter | 32) == 'l' ? PIN_LEFT : PIN_RIGHT;
            levels[pin] = letter & 32 ? HIGH : LOW;
            handlers[pin]();
        }
        loop();
    }
}
