"""Reads pictures of the sandbox with Python's HTTP client and zlib. Requests them completely, in ranges, and chunk by chunk.

read_pictures.py BASE
"""
import struct
import sys
import urllib.error
import urllib.request
import zlib

base = sys.argv[1]


def get(path, **headers):
    headers = {name.replace("_", "-"): value for name, value in headers.items()}
    return urllib.request.urlopen(urllib.request.Request(base + path, headers=headers), timeout=30)


def check(png):
    assert png[:8] == b"\x89PNG\r\n\x1a\n"
    place, chunks = 8, {}
    while place < len(png):
        (length,) = struct.unpack(">I", png[place:place + 4])
        kind, content = png[place + 4:place + 8], png[place + 8:place + 8 + length]
        (crc,) = struct.unpack(">I", png[place + 8 + length:place + 12 + length])
        assert zlib.crc32(kind + content) == crc, kind
        chunks[kind] = content
        place += 12 + length
    width, height, depth, colour = struct.unpack(">IIBB", chunks[b"IHDR"][:10])
    assert (depth, colour) == (8, 3) and len(chunks[b"PLTE"]) == 768
    rows = zlib.decompress(chunks[b"IDAT"])
    assert len(rows) == (width + 1) * height and not any(rows[::width + 1])
    assert len(set(rows)) > 40, "not a picture of one colour"
    assert list(chunks)[-1] == b"IEND" and place == len(png)
    return width, height


seen = set()
for path, size in [("avatars/mira_demo_normal.png", (96, 96)), ("avatars/other.png", (96, 96)),
                   ("media/abc.png", (240, 160))]:
    with get("/media/" + path) as answer:
        whole, tag = answer.read(), answer.headers["ETag"]
        assert answer.headers["Content-Type"] == "image/png"
    assert check(whole) == size, path
    seen.add(whole)
    with get("/media/" + path) as answer:
        assert answer.read() == whole, "always the same"
    with get("/media/" + path, Range="bytes=1000-", If_Range=tag) as answer:
        assert answer.status == 206
        assert answer.headers["Content-Range"] == f"bytes 1000-{len(whole) - 1}/{len(whole)}"
        assert answer.read() == whole[1000:]
    with get("/media/" + path, Range="bytes=1000-", If_Range='"other"') as answer:
        assert answer.status == 200 and answer.read() == whole
    try:
        get("/media/" + path, Range=f"bytes={len(whole)}-", If_Range=tag)
        raise AssertionError("the server returned a range beyond the end")
    except urllib.error.HTTPError as error:
        assert error.code == 416
assert len(seen) == 3, "each has its own"
try:
    get("/media/film.mp4")
    raise AssertionError("the server returned a video")
except urllib.error.HTTPError as error:
    assert error.code == 404
print("pictures are read")
