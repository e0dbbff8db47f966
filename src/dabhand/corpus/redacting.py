"""Secrets, mail addresses and home folders out of whatever leaves the triples.

What a secret looks like is known by the detectors of `detect-secrets` (Apache-2.0), which are kept up; only what they
cannot know is here: addresses, home folders, user names in URLs, and strings that are long and random.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Iterable
from functools import cache

from dabhand.corpus.extras import needed

SECRET = "<secret>"
MAIL = "<mail>"
USER = "user"
RANDOM_LENGTH = 32
"""Characters from which a string of one word may be a key by its looks alone; hashes of git have 40 and stay."""

RANDOM_BITS = 4.3
"""Bits a character from which such a string counts as random; prose and paths have 3 to 4."""

_DETECTORS = (
    "artifactory.ArtifactoryDetector",
    "aws.AWSKeyDetector",
    "azure_storage_key.AzureStorageKeyDetector",
    "basic_auth.BasicAuthDetector",
    "cloudant.CloudantDetector",
    "discord.DiscordBotTokenDetector",
    "github_token.GitHubTokenDetector",
    "gitlab_token.GitLabTokenDetector",
    "ibm_cloud_iam.IbmCloudIamDetector",
    "ibm_cos_hmac.IbmCosHmacDetector",
    "jwt.JwtTokenDetector",
    "mailchimp.MailchimpDetector",
    "npm.NpmDetector",
    "openai.OpenAIDetector",
    "private_key.PrivateKeyDetector",
    "pypi_token.PypiTokenDetector",
    "sendgrid.SendGridDetector",
    "slack.SlackDetector",
    "softlayer.SoftlayerDetector",
    "square_oauth.SquareOAuthDetector",
    "stripe.StripeDetector",
    "telegram_token.TelegramBotTokenDetector",
    "twilio.TwilioKeyDetector",
)

_ARMOUR = re.compile(r"-----BEGIN [A-Z ]*PRIVATE KEY-----.*?(?:-----END [A-Z ]*PRIVATE KEY-----|\Z)", re.DOTALL)
_BEARER = re.compile(r"(?i)\b(bearer|basic|token)(\s+)((?=[^\s\"']*\d)[A-Za-z0-9._~+/=-]{12,})")
_ASSIGNED = re.compile(
    r"""(?ix)
    (?P<name>[a-z0-9_.-]*(?:passw(?:or)?d|passwd|pwd|secret|api[_-]?key|access[_-]?key|private[_-]?key|auth[_-]?token
        |token|credentials?|client[_-]?secret)[a-z0-9_]*["']?)
    (?P<sign>\s*(?:=|:=|:)\s*)
    (?P<value>"[^"\s]{4,}"|'[^'\s]{4,}'|[^\s"'`$<>(){},;|&]{6,})
    """
)
_IN_URL = re.compile(r"(?<=://)[^\s/:@]+:[^\s/@]+(?=@)")
_PREFIXED = re.compile(r"\b(?:npm_|hf_|glpat-|dckr_pat_|sk-ant-)[A-Za-z0-9_-]{16,}")
_MAIL = re.compile(r"\b[A-Za-z0-9][A-Za-z0-9._%+-]*@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*\.[A-Za-z]{2,}\b")
_HOME = re.compile(r"(?P<base>/home/|/Users/|[A-Za-z]:\\+Users\\+)(?P<name>[^/\\\s\"'`:;,)]+)")
_WORD = re.compile(rf"[A-Za-z0-9+/_=-]{{{RANDOM_LENGTH},}}")
_HEX = re.compile(r"(?i)[0-9a-f]+(?:-[0-9a-f]+)*\Z")
_NOT_USERS = frozenset(("Shared", "Public", "runner", USER))


def redact(text: str) -> str:
    """The text with placeholders in place of what is nobody else's business; the same again when done twice."""
    text = _ARMOUR.sub(SECRET, text)
    for pattern in _patterns():
        text = pattern.sub(_whole, text)
    text = _IN_URL.sub(SECRET, _PREFIXED.sub(SECRET, text))
    text = _BEARER.sub(lambda found: f"{found[1]}{found[2]}{SECRET}", text)
    text = _ASSIGNED.sub(_value_gone, text)
    text = _MAIL.sub(MAIL, text)
    text = _HOME.sub(_nobody, text)
    return _WORD.sub(_random_gone, text)


def redacted(value: object) -> object:
    """A JSON value with every text in it redacted, keys apart."""
    match value:
        case str():
            return redact(value)
        case dict():
            return {key: redacted(inner) for key, inner in value.items()}
        case list() | tuple():
            return [redacted(inner) for inner in value]
    return value


def finds(texts: Iterable[str]) -> int:
    """How many of some texts hold something to redact."""
    return sum(redact(text) != text for text in texts)


@cache
def _patterns() -> tuple[re.Pattern[str], ...]:
    found: list[re.Pattern[str]] = []
    for name in _DETECTORS:
        module, made = name.split(".")
        detector: Callable[[], object] = getattr(needed(f"detect_secrets.plugins.{module}", "Redacting"), made)
        for pattern in getattr(detector(), "denylist", ()):
            # The detector of passwords in URLs reaches for the colon before it; ours below is exact.
            if made != "BasicAuthDetector":
                found.append(pattern)
    return tuple(found)


def _whole(found: re.Match[str]) -> str:
    return found.group() if SECRET in found.group() else SECRET


def _value_gone(found: re.Match[str]) -> str:
    value, sign = found["value"], found["sign"]
    bare = value.strip("\"'")
    if bare.startswith(("<", "$", "{", "%", "/", "./")) or bare.lower() in ("true", "false", "none", "null"):
        return found.group()
    quote = value[0] if value[0] in "\"'" else ""
    return f"{found['name']}{sign}{quote}{SECRET}{quote}"


def _nobody(found: re.Match[str]) -> str:
    return found.group() if found["name"] in _NOT_USERS else found["base"] + USER


def _random_gone(found: re.Match[str]) -> str:
    word = found.group()
    if _HEX.match(word) or ("/" in word.strip("/") and not any(letter.isdigit() for letter in word)):
        return word
    mixed = any(each.isdigit() for each in word) and any(each.isupper() for each in word)
    return SECRET if mixed and any(each.islower() for each in word) and _bits(word) >= RANDOM_BITS else word


def _bits(word: str) -> float:
    """Shannon's entropy of the letters."""
    counts = Counter(word)
    return -sum(number / len(word) * math.log2(number / len(word)) for number in counts.values())
