"""A notification server for tests (org.freedesktop.Notifications), on the session bus in DBUS_SESSION_BUS_ADDRESS.

The server implements the D-Bus wire protocol itself, so it needs only Python. It prints `ready`, and then a line for each notification:
`notify ID REPLACED SUMMARY|BODY|ACTION,...`, or `closed ID` for a notification that its program removes. The lines `invoke ID KEY` and `close ID` on standard input make the server send signals.
"""

import os
import socket
import struct
import sys
import threading

NAME = "org.freedesktop.Notifications"
PATH = "/org/freedesktop/Notifications"


class Writer:
    def __init__(self):
        self.data = b""

    def align(self, size):
        self.data += b"\0" * (-len(self.data) % size)

    def number(self, value):
        self.align(4)
        self.data += struct.pack("<I", value)

    def text(self, value):
        self.number(len(value.encode()))
        self.data += value.encode() + b"\0"

    def signature(self, value):
        self.data += bytes([len(value)]) + value.encode() + b"\0"


class Reader:
    def __init__(self, data):
        self.data, self.offset = data, 0

    def align(self, size):
        self.offset += -self.offset % size

    def number(self):
        self.align(4)
        (value,) = struct.unpack_from("<I", self.data, self.offset)
        self.offset += 4
        return value

    def text(self):
        size = self.number()
        value = self.data[self.offset : self.offset + size].decode()
        self.offset += size + 1
        return value

    def signature(self):
        size = self.data[self.offset]
        value = self.data[self.offset + 1 : self.offset + 1 + size].decode()
        self.offset += size + 2
        return value

    def texts(self):
        size = self.number()
        end = self.offset + size
        found = []
        while self.offset < end:
            found.append(self.text())
        return found


class Bus:
    def __init__(self, address):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect(address.split("path=")[1].split(",")[0])
        self.serial = 0
        self.lock = threading.Lock()
        user = str(os.getuid()).encode().hex()
        self.socket.sendall(b"\0AUTH EXTERNAL " + user.encode() + b"\r\n")
        reply = b""
        while not reply.endswith(b"\r\n"):
            reply += self.socket.recv(1)
        assert reply.startswith(b"OK"), reply
        self.socket.sendall(b"BEGIN\r\n")

    def send(self, kind, fields, signature="", body=b""):
        """Fields are (code, type, value). Kinds: 1 call, 2 return, 4 signal."""
        with self.lock:
            self.serial += 1
            header = Writer()
            header.data = struct.pack("<cBBBII", b"l", kind, 0, 1, len(body), self.serial)
            entries = Writer()
            for code, type_, value in fields + ([(8, "g", signature)] if signature else []):
                entries.align(8)
                entries.data += bytes([code])
                entries.signature(type_)
                if type_ == "u":
                    entries.number(value)
                elif type_ == "g":
                    entries.signature(value)
                else:
                    entries.text(value)
            # The array begins at offset 16, so its own alignment is that of the message.
            header.number(len(entries.data))
            header.data += entries.data
            header.align(8)
            self.socket.sendall(header.data + body)

    def exactly(self, count):
        data = b""
        while len(data) < count:
            piece = self.socket.recv(count - len(data))
            if not piece:
                sys.exit(0)
            data += piece
        return data

    def receive(self):
        start = self.exactly(16)
        _, kind, _, _, size, serial, length = struct.unpack("<cBBBIII", start)
        rest = self.exactly(length + (-length % 8))
        reader = Reader(rest)
        fields = {}
        while reader.offset < length:
            reader.align(8)
            code = rest[reader.offset]
            reader.offset += 1
            type_ = reader.signature()
            fields[code] = reader.number() if type_ == "u" else reader.signature() if type_ == "g" else reader.text()
        return kind, serial, fields, Reader(self.exactly(size))

    def call(self, member, signature="", body=b""):
        fields = [(1, "o", "/org/freedesktop/DBus"), (2, "s", "org.freedesktop.DBus"), (3, "s", member)]
        self.send(1, fields + [(6, "s", "org.freedesktop.DBus")], signature, body)


def act(bus):
    for line in sys.stdin:
        parts = line.split()
        body = Writer()
        body.number(int(parts[1]))
        fields = [(1, "o", PATH), (2, "s", NAME)]
        if parts[0] == "invoke":
            body.text(parts[2])
            bus.send(4, fields + [(3, "s", "ActionInvoked")], "us", body.data)
        else:
            body.number(2)
            bus.send(4, fields + [(3, "s", "NotificationClosed")], "uu", body.data)


def main():
    bus = Bus(os.environ["DBUS_SESSION_BUS_ADDRESS"])
    bus.call("Hello")
    name = Writer()
    name.text(NAME)
    name.number(4)
    bus.call("RequestName", "su", name.data)
    threading.Thread(target=act, args=[bus], daemon=True).start()
    last = 0
    while True:
        kind, serial, fields, body = bus.receive()
        if kind == 4 and fields.get(3) == "NameAcquired" and body.text() == NAME:
            print("ready", flush=True)
        if kind == 1 and fields.get(3) == "CloseNotification":
            bus.send(2, [(5, "u", serial), (6, "s", fields[7])])
            print(f"closed {body.number()}", flush=True)
        if kind != 1 or fields.get(3) != "Notify":
            continue
        assert fields[8] == "susssasa{sv}i", fields[8]
        program, replaced, icon = body.text(), body.number(), body.text()
        summary, text, actions = body.text(), body.text(), body.texts()
        assert program == "homeline" and icon == ""
        if not replaced:
            last += 1
        number = replaced or last
        reply = Writer()
        reply.number(number)
        bus.send(2, [(5, "u", serial), (6, "s", fields[7])], "u", reply.data)
        print(f"notify {number} {replaced} {summary}|{text}|{','.join(actions)}", flush=True)


if __name__ == "__main__":
    main()
