"""Reads a JSON string from each line of standard input, and prints its length as X counts it, using twitter-text-parser."""

import json
import sys

from twitter_text import parse_tweet

for line in sys.stdin:
    print(parse_tweet(json.loads(line)).weightedLength)
