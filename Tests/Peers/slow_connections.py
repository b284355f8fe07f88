#!/usr/bin/env python3
"""Holds slow connections to a local port until standard input ends.

    slow_connections.py PORT SILENT SLOW

SILENT connections send nothing, and SLOW ones send a byte of a request each second. A connection that the server closes is opened again after
a second. Prints `open` when all have been opened, and at the end the number of connections made.
"""

import asyncio
import resource
import sys

PATH = "/" + "a" * 2000


async def hold(port, request, opened, made):
    while True:
        try:
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
        except OSError:
            await asyncio.sleep(1)
            continue
        made.append(1)
        opened.set()
        over = asyncio.create_task(reader.read())
        try:
            for byte in request:
                writer.write(bytes([byte]))
                done, _ = await asyncio.wait([over], timeout=1)
                if done:
                    break
            await over
        except OSError:
            pass
        finally:
            over.cancel()
            writer.close()
        await asyncio.sleep(1)


async def main():
    port, silent, slow = map(int, sys.argv[1:4])
    request = f"GET {PATH} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode()
    made = []
    events = [asyncio.Event() for _ in range(silent + slow)]
    tasks = [
        asyncio.create_task(hold(port, b"" if number < silent else request, event, made))
        for number, event in enumerate(events)
    ]
    await asyncio.gather(*(event.wait() for event in events))
    print("open", flush=True)
    await asyncio.to_thread(sys.stdin.read)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    print(len(made), flush=True)


if __name__ == "__main__":
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    asyncio.run(main())
