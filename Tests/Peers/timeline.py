"""A simulated home timeline (Twitter v1.1 API), which is computed from numbers. The same arguments give the same posts."""

import datetime
import itertools

# The ids are above 2^53, where numbers in JavaScript and jq lose their last digits. The steps are not multiples of powers of two.
FIRST_ID = 1850000000025165849
ID_STEP = 4194307
# Friday, 20 November 2026, 08:00 UTC.
FIRST_TIME = 1795161600
TIME_STEP = 61

AUTHORS = [
    {"id": 12, "screen_name": "jack", "name": "jack"},
    {"id": 38895958, "screen_name": "theSeanCook", "name": "Sean Cook"},
    {"id": 1850000000000000003, "screen_name": "mizu", "name": "水の音 🌊"},
]

TEXTS = [
    "Tea &amp; biscuits at four",
    "ligatures: ﬁ, ﬂ; accents: Größe, naïve; 日本語も",
    "1 &lt; 2 &amp;&amp; 3 &gt; 2, said the parser",
    "two lines\nand a \"quotation\"",
    "👩‍👩‍👧 a family is one character and five code points",
]


class Timeline:
    """Posts numbered from 0, oldest first. `number_of_posts` may grow, and existing posts never change."""

    def __init__(self, number_of_posts, with_id_str=True):
        self.number_of_posts = number_of_posts
        self._with_id_str = with_id_str

    def page(self, since_id=None, max_id=None, count=20, extended=False):
        """The newest `count` (1 to 200) posts with since_id < id <= max_id, newest first."""
        numbers = range(self.number_of_posts - 1, -1, -1)
        wanted = (
            n
            for n in numbers
            if (since_id is None or _id(n) > since_id) and (max_id is None or _id(n) <= max_id)
        )
        return [self._post(n, extended) for n in itertools.islice(wanted, max(1, min(count, 200)))]

    def user(self):
        """The account returned by verify_credentials."""
        return self._with_id({"screen_name": "peer", "name": "A Peer", "profile_image_url_https": None}, 99)

    def _post(self, number, extended):
        post = self._plain_post(number, AUTHORS[number % len(AUTHORS)], extended)
        if number % 10 == 7:
            original = self._plain_post(number - 5, AUTHORS[(number + 1) % len(AUTHORS)], extended)
            text = f"RT @{original['user']['screen_name']}: {original.get('full_text', original.get('text'))}"
            post["retweeted_status"] = original
            # A repost's text is truncated at 140 characters in every mode. Only the text of the original is complete.
            post["full_text" if extended else "text"] = text if len(text) <= 140 else text[:139] + "…"
        return post

    def _plain_post(self, number, author, extended):
        text = f"{number}: {TEXTS[number % len(TEXTS)]}"
        urls = []
        if number % 4 == 1:
            short = f"https://t.co/{number:010}"
            text += " " + short
            urls.append(
                {
                    "url": short,
                    "expanded_url": f"https://example.org/articles/{number}?a=1&b=2",
                    "display_url": f"example.org/articles/{number}",
                    "indices": [len(text) - len(short), len(text)],
                }
            )
        if number % 9 == 2:
            text += " " + "long " * 60 + "end"
        post = self._with_id(
            {
                "created_at": _created_at(number),
                "user": self._with_id({**author, "profile_image_url_https": None}, author["id"]),
                "entities": {"urls": urls, "hashtags": [], "user_mentions": [], "symbols": []},
                "in_reply_to_status_id": None,
                "in_reply_to_screen_name": None,
                "is_quote_status": False,
                "retweet_count": number % 17,
                "favorite_count": number % 23,
                "lang": "en",
            },
            _id(number),
        )
        if extended:
            return {**post, "full_text": text, "truncated": False, "display_text_range": [0, len(text)]}
        cut = len(text) > 140
        return {**post, "text": text[:139] + "…" if cut else text, "truncated": cut}

    def _with_id(self, fields, number):
        return {"id": number, **({"id_str": str(number)} if self._with_id_str else {}), **fields}


def _id(number):
    return FIRST_ID + number * ID_STEP


def _created_at(number):
    """`Fri Nov 20 08:00:00 +0000 2026`, in English in every locale."""
    t = datetime.datetime.fromtimestamp(FIRST_TIME + number * TIME_STEP, datetime.timezone.utc)
    day = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")[t.weekday()]
    month = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split()[t.month - 1]
    return f"{day} {month} {t.day:02} {t:%H:%M:%S} +0000 {t.year}"
