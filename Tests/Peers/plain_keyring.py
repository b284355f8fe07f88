"""A keyring for tests (org.freedesktop.secrets) that supports only unencrypted sessions, on the session bus in DBUS_SESSION_BUS_ADDRESS.

It prints `ready`, `session ALGORITHM` for each request for a session, and `secret` for each secret that it receives or sends.
"""

import os

from notification_server import Bus, Writer

NAME = "org.freedesktop.secrets"
COLLECTION = "/org/freedesktop/secrets/collection/login"
ITEM = COLLECTION + "/1"
SESSION = "/org/freedesktop/secrets/session/1"


def paths(writer, values):
    writer.number(sum(len(value) + 5 for value in values))
    for value in values:
        writer.text(value)


def reply(member, body):
    """Returns the signature and the body of the reply to a call; None for an error."""
    writer = Writer()
    if member == "SearchItems":
        paths(writer, [ITEM])
        paths(writer, [])
        return "aoao", writer.data
    if member == "ReadAlias":
        writer.text(COLLECTION)
        return "o", writer.data
    if member == "Get":
        writer.signature("b")
        writer.number(0)
        return "v", writer.data
    if member == "OpenSession":
        algorithm = body.text()
        print("session", algorithm, flush=True)
        if algorithm != "plain":
            return None
        writer.signature("s")
        writer.text("")
        writer.text(SESSION)
        return "vo", writer.data
    print("secret", flush=True)
    if member == "CreateItem":
        writer.text(ITEM)
        writer.text("/")
        return "oo", writer.data
    assert member == "GetSecret", member
    writer.align(8)
    writer.text(SESSION)
    writer.number(0)
    writer.number(4)
    writer.data += b"open"
    writer.text("text/plain")
    return "(oayays)", writer.data


def main():
    bus = Bus(os.environ["DBUS_SESSION_BUS_ADDRESS"])
    bus.call("Hello")
    name = Writer()
    name.text(NAME)
    name.number(4)
    bus.call("RequestName", "su", name.data)
    while True:
        kind, serial, fields, body = bus.receive()
        if kind == 4 and fields.get(3) == "NameAcquired" and body.text() == NAME:
            print("ready", flush=True)
        if kind != 1:
            continue
        answer = reply(fields[3], body)
        if answer:
            bus.send(2, [(5, "u", serial), (6, "s", fields[7])], *answer)
        else:
            error = "org.freedesktop.DBus.Error.NotSupported"
            bus.send(3, [(4, "s", error), (5, "u", serial), (6, "s", fields[7])])


main()
