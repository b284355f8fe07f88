"""Reads a multipart form with Werkzeug and with Python's email package, and prints each result as a line of JSON.

    read_form.py CONTENT_TYPE FILE
"""

import email.parser
import email.policy
import hashlib
import io
import json
import sys

from werkzeug.formparser import parse_form_data

content_type, path = sys.argv[1:]
with open(path, "rb") as file:
    body = file.read()


def digest(content):
    return hashlib.sha256(content).hexdigest()


environment = {
    "REQUEST_METHOD": "POST", "CONTENT_TYPE": content_type, "CONTENT_LENGTH": str(len(body)), "wsgi.input": io.BytesIO(body),
}
_, form, files = parse_form_data(environment, silent=False)
print(json.dumps({
    "fields": [[name, value] for name, value in form.items(multi=True)],
    "files": [[name, file.filename, file.mimetype, digest(file.read())] for name, file in files.items(multi=True)],
}))

message = email.parser.BytesParser(policy=email.policy.HTTP).parsebytes(b"Content-Type: " + content_type.encode() + b"\r\n\r\n" + body)
fields, files = [], []
for part in message.iter_parts():
    name = part.get_param("name", header="Content-Disposition")
    content = part.get_payload(decode=True)
    if part.get_filename() is None:
        fields.append([name, content.decode()])
    else:
        files.append([name, part.get_filename(), part.get_content_type(), digest(content)])
print(json.dumps({"fields": fields, "files": files}))
