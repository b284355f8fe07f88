#!/usr/bin/env python3
"""Draws the pictures of the demo page into a folder. The landscapes and avatars are the same in each run."""

import math
import os
import struct
import sys
import zlib

WIDTH, HEIGHT, FACE = 640, 360, 96

# Sky colours at top and bottom, sun or moon, and hills from the farthest to the nearest.
LANDSCAPES = {
    "dusk": ((59, 76, 122), (246, 178, 140), (0.68, 0.50, 0.085, (255, 226, 178)),
             [(150, 116, 143), (104, 84, 122), (66, 58, 94), (33, 32, 58)]),
    "morning": ((158, 196, 218), (247, 236, 214), (0.25, 0.36, 0.06, (255, 250, 232)),
                [(171, 196, 190), (124, 164, 150), (78, 126, 112), (42, 84, 78)]),
    "night": ((10, 16, 36), (44, 62, 104), (0.78, 0.26, 0.05, (240, 240, 226)),
              [(38, 52, 90), (28, 38, 70), (18, 26, 50), (9, 13, 28)]),
}

FACES = {"ines": ((244, 162, 97), (231, 111, 81)), "tomasz": ((131, 197, 190), (38, 110, 117)), "harbour": ((86, 118, 190), (25, 42, 86))}


def main():
    folder = sys.argv[1]
    os.makedirs(folder, exist_ok=True)
    for number, (name, scene) in enumerate(LANDSCAPES.items()):
        write(os.path.join(folder, f"{name}.png"), WIDTH, landscape(number, *scene))
    for name, colours in FACES.items():
        write(os.path.join(folder, f"{name}.png"), FACE, face(*colours))


def landscape(number, above, below, disc, hills):
    """Rows of RGB bytes. Each hill is a sum of three waves. Nearer hills are lower, darker and rougher."""
    tops = [[ridge(number, layer, x) for x in range(WIDTH)] for layer in range(len(hills))]
    cx, cy, radius, colour = disc[0] * WIDTH, disc[1] * HEIGHT, disc[2] * HEIGHT, disc[3]
    for y in range(HEIGHT):
        sky = mixed(above, below, min(1.0, y / (HEIGHT * 0.72)))
        row = bytearray()
        for x in range(WIDTH):
            for layer in range(len(hills) - 1, -1, -1):
                if y >= tops[layer][x]:
                    row += bytes(mixed(hills[layer], below, 0.30 * math.exp(-(y - tops[layer][x]) / 34)))
                    break
            else:
                distance = math.hypot(x - cx, y - cy) - radius
                glow = 1.0 if distance < -1 else max(0.0, 0.42 * math.exp(-max(distance, 0) / 46) if distance > 0 else 0.9)
                row += bytes(mixed(sky, colour, glow))
        yield bytes(row)


def ridge(number, layer, x):
    across = x / WIDTH * math.tau
    waves = math.sin(across * (1.1 + layer * 0.55) + number * 1.9 + layer * 2.3) * (26 - layer * 3)
    waves += math.sin(across * (2.9 + layer) + number * 0.7 + layer) * 9 + math.sin(across * (8.3 + layer * 3) + layer * 5) * 2.4
    return HEIGHT * (0.52 + layer * 0.125) + waves


def face(first, second):
    """A gradient with a lighter circle, as an avatar."""
    for y in range(FACE):
        row = bytearray()
        for x in range(FACE):
            ground = mixed(first, second, (x + y) / (2 * FACE))
            head = math.hypot(x - FACE / 2, y - FACE * 0.42) < FACE * 0.19
            body = math.hypot((x - FACE / 2) * 0.82, y - FACE * 1.02) < FACE * 0.34
            row += bytes(mixed(ground, (255, 250, 242), 0.82 if head or body else 0.0))
        yield bytes(row)


def mixed(first, second, share):
    return tuple(round(a + (b - a) * share) for a, b in zip(first, second))


def write(path, width, rows):
    """Writes a PNG of 8-bit RGB (W3C PNG, §11)."""
    rows = list(rows)

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    pixels = b"".join(b"\0" + row for row in rows)
    with open(path, "wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, len(rows), 8, 2, 0, 0, 0)))
        file.write(chunk(b"IDAT", zlib.compress(pixels, 9)) + chunk(b"IEND", b""))


if __name__ == "__main__":
    main()
