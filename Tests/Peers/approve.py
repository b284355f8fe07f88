#!/usr/bin/env python3
"""Says yes at the sandbox's authorise page and follows the redirects to the end, with the standard library alone.

    approve.py ADDRESS

Prints the title of the last page. Ends with 0 when it says that the account is authorised, else with 1.
"""

import re
import sys
from urllib.parse import parse_qs, urlencode, urlsplit
from urllib.request import ProxyHandler, build_opener


def main():
    address = urlsplit(sys.argv[1])
    token = parse_qs(address.query)["oauth_token"][0]
    # Everything is on loopback, and a proxy of the machine would not reach it.
    opener = build_opener(ProxyHandler({}))
    form = urlencode({"oauth_token": token, "action": "allow"}).encode()
    with opener.open(f"{address.scheme}://{address.netloc}{address.path}", form, timeout=30) as answer:
        title = re.search("<h1>(.*?)</h1>", answer.read().decode())
    print(title and title[1])
    sys.exit(0 if title and title[1].startswith("Authorised as ") else 1)


if __name__ == "__main__":
    main()
