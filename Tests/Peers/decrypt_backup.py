"""Decrypts the encrypted part of a backup as docs/reference/files.md describes, and prints the part.

usage: decrypt_backup.py FILE PASSPHRASE
"""

import hashlib
import json
import sys

from cryptography.hazmat.primitives.ciphers.aead import AESGCM

data = open(sys.argv[1], "rb").read()
magic, parameters, sealed = data.split(b"\n", 2)
assert magic == b"homeline-encrypted 1", magic
header = json.loads(parameters)
assert header["kdf"] == "scrypt" and header["cipher"] == "aes-256-gcm", header
key = hashlib.scrypt(
    sys.argv[2].encode(), salt=bytes.fromhex(header["salt"]), n=header["n"], r=header["r"], p=header["p"],
    maxmem=2**30, dklen=32)
associated = magic + b"\n" + parameters + b"\n"
sys.stdout.buffer.write(AESGCM(key).decrypt(bytes.fromhex(header["nonce"]), sealed, associated))
