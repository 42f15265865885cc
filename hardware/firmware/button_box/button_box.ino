// A Tableside button box: two buttons on a board with native USB. ../../BUTTON_BOX.md describes what it says.
//
// For boards of the Arduino family whose crystal runs the clock: Leonardo, Pro Micro and Micro (ATmega32U4), Raspberry Pi Pico,
// XIAO, Zero and other SAMD21. Each button connects its pin to ground; nothing else is needed.

const uint8_t PIN_LEFT = 2;   // both must be able to interrupt: on a 32U4 these are 0, 1, 2, 3 and 7
const uint8_t PIN_RIGHT = 3;
const char NAME[] = "tb-0001";  // this box's own name: letters, digits, dots, dashes, underscores, at most 24

const uint8_t QUEUE = 64;  // edges that wait to be sent; a power of two
const unsigned long BEAT_MS = 500;

struct Edge {
    uint16_t sequence;
    uint32_t us;
    char side;
    bool closed;
};

volatile Edge queue[QUEUE];
volatile uint8_t first = 0, waiting = 0;
volatile uint16_t sequence = 0;  // of the latest edge; it is counted even when the queue is full, so that the table sees the gap
unsigned long beaten = 0;
char heard[32];
uint8_t heardLength = 0;

// Interrupts: take the stamp first, then the level, and leave everything slow to loop().
void edge(char side, uint8_t pin) {
    const uint32_t us = micros();
    const bool closed = digitalRead(pin) == LOW;
    sequence++;
    if (waiting == QUEUE) return;
    volatile Edge &slot = queue[(first + waiting) % QUEUE];
    slot.sequence = sequence;
    slot.us = us;
    slot.side = side;
    slot.closed = closed;
    waiting++;
}
void leftChanged() { edge('L', PIN_LEFT); }
void rightChanged() { edge('R', PIN_RIGHT); }

// Sends words, a star, and their checksum: CRC-16 with polynomial 0x1021 from 0xFFFF.
void say(const char *words) {
    uint16_t crc = 0xFFFF;
    for (const char *c = words; *c; c++) {
        crc ^= (uint16_t)((uint8_t)*c) << 8;
        for (uint8_t bit = 0; bit < 8; bit++) crc = crc & 0x8000 ? (uint16_t)(crc << 1) ^ 0x1021 : (uint16_t)(crc << 1);
    }
    char line[88];
    snprintf(line, sizeof line, "%s*%04X\n", words, (unsigned)crc);
    Serial.print(line);
}

// A hello or a beat: how everything stands. Only while no edge waits, so that number and levels belong together.
bool tellState(const char *before) {
    char words[72];
    noInterrupts();
    if (waiting) {
        interrupts();
        return false;
    }
    const uint16_t last = sequence;
    const uint32_t us = micros();
    const bool left = digitalRead(PIN_LEFT) == LOW, right = digitalRead(PIN_RIGHT) == LOW;
    interrupts();
    snprintf(words, sizeof words, "%s %u %lu %d%d", before, (unsigned)last, (unsigned long)us, left, right);
    say(words);
    return true;
}

bool wantsHello = true;  // says who it is when it begins, and when it is asked

void sendEdges() {
    while (waiting) {
        noInterrupts();
        const uint16_t number = queue[first].sequence;
        const uint32_t us = queue[first].us;
        const char side = queue[first].side;
        const bool closed = queue[first].closed;
        first = (first + 1) % QUEUE;
        waiting--;
        interrupts();
        char words[48];
        snprintf(words, sizeof words, "edge %u %lu %c %d", (unsigned)number, (unsigned long)us, side, closed);
        say(words);
    }
}

// The table says `who*XXXX` or `ping N*XXXX`. The counter is read as soon as the line is whole. Its checksum need not be looked at: a
// wrong number is an answer to no ping, and the table drops it.
void listen() {
    while (Serial.available()) {
        const char c = Serial.read();
        if (c != '\n') {
            if (heardLength < sizeof heard - 1) heard[heardLength++] = c;
            continue;
        }
        const uint32_t us = micros();
        heard[heardLength] = 0;
        heardLength = 0;
        if (strncmp(heard, "who", 3) == 0) wantsHello = true;
        if (strncmp(heard, "ping ", 5) == 0) {
            char words[32];
            snprintf(words, sizeof words, "pong %u %lu", (unsigned)atol(heard + 5) & 0xFFFF, (unsigned long)us);
            say(words);
        }
    }
}

void setup() {
    pinMode(PIN_LEFT, INPUT_PULLUP);
    pinMode(PIN_RIGHT, INPUT_PULLUP);
    Serial.begin(115200);
    attachInterrupt(digitalPinToInterrupt(PIN_LEFT), leftChanged, CHANGE);
    attachInterrupt(digitalPinToInterrupt(PIN_RIGHT), rightChanged, CHANGE);
}

void loop() {
    sendEdges();
    listen();
    if (wantsHello) {
        char before[40];
        snprintf(before, sizeof before, "hello 1 %s", NAME);
        wantsHello = !tellState(before);
    }
    if (millis() - beaten >= BEAT_MS && tellState("beat")) beaten = millis();
}
