"""Secrets, mail addresses and home folders out of whatever leaves the triples.

What a secret looks like is known by the detectors of `detect-secrets` (Apache-2.0), which are kept up; only what they
cannot know is here: addresses, home folders, user names in URLs, and strings that are long and random.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import cache

from dabhand.corpus.extras import needed
from dabhand.corpus.triple import Triple

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
_TILDE = re.compile(r"(?P<base>(?<![\w~.:/-])~)(?P<name>[a-z_][a-z0-9_-]{1,31})(?=[/\s\"':;)]|\Z)")
_WORD = re.compile(rf"[A-Za-z0-9+/_=-]{{{RANDOM_LENGTH},}}")
_HEX = re.compile(r"(?i)[0-9a-f]+(?:-[0-9a-f]+)*\Z")
_NOT_USERS = frozenset(("Shared", "Public", "runner", USER))
_COMMON = frozenset(
    ("admin", "agent", "app", "build", "circleci", "data", "default", "developer", "docker", "github", "guest", "home"),
).union(("jenkins", "main", "node", "project", "public", "root", "shared", "test", "ubuntu", "vscode", "work"))
"""Names of home folders that are everyday words too, and are left alone where they stand by themselves."""

_VALUE = r"""(?P<quote>["']?)(?P<value>[^\s"'$<>|;&]{2,})(?P=quote)"""
_OPTION = re.compile(
    r"(?P<name>(?<![\w-])--?(?:password|passwd|pass|passphrase|token|secret|api[-_]?key|access[-_]?key|secret[-_]?key"
    rf"|auth[-_]?token|access[-_]?token|client[-_]?secret|pat))(?P<sign>[ =]){_VALUE}"
)
"""Long options whose argument is a secret, whichever program has them."""

_OF_PROGRAMS = tuple(
    re.compile(rf"(?P<name>\b(?:{programs})\b(?:[^|;&\n]*?\s)?(?:{options}))(?P<sign>{signs}){_VALUE}")
    for programs, options, signs in (
        (r"mysql\w*|mariadb[\w-]*|7za?|7zz|innobackupex", "-p", ""),
        (r"sshpass|mongo\w*|(?:docker|podman|helm|oras|skopeo)\s(?:[\w-]+\s)*login", "-p", " +"),
        (r"sshpass", "-p", ""),
        (r"zip|unzip|mosquitto_\w+", "-P", " *"),
        (r"redis-cli", "-a", " *"),
        (r"ldap\w+", "-w", " *"),
        (r"openssl", "-pass(?:in|out)? pass:|-k", " *"),
    )
)
"""Short options of programs whose argument is a password."""

_LOGIN = re.compile(
    r"(?P<name>\b(?:curl|wget|https?|xh|lftp|ncftp\w*|smbclient)\b[^|;&\n]*?\s(?:-u|-U|-a|--user|--proxy-user|--auth))"
    r"""(?P<sign>[ =]*["']?[^\s:%"']+[:%])(?P<quote>)(?P<value>[^\s"'$]+)"""
)
"""`-u NAME:PASSWORD`."""

LEAST = 6
"""Characters of a secret from which it is replaced wherever else it stands."""


class Redaction:
    """What is known to be secret in texts that belong together; each is replaced wherever it stands in them."""

    def __init__(self, texts: Iterable[str] = ()) -> None:
        """Take in what is secret in some texts."""
        self._secrets: set[str] = set()
        self._names: set[str] = set()
        for text in texts:
            self._by_looks(text)
        secrets = sorted(self._secrets, key=lambda each: (-len(each), each))
        names = sorted(self._names - _COMMON, key=lambda each: (-len(each), each))
        self._everywhere = re.compile("|".join(map(re.escape, secrets))) if secrets else None
        joined = "|".join(map(re.escape, names))
        self._people = re.compile(rf"(?<![\w-])(?:{joined})(?![\w-])") if names else None

    def text(self, text: str) -> str:
        """A text without them, and without what looks secret in it."""
        if self._everywhere is not None:
            text = self._everywhere.sub(SECRET, text)
        text = self._by_looks(text)
        return self._people.sub(USER, text) if self._people is not None else text

    def value(self, value: object) -> object:
        """A JSON value with every text in it redacted, keys apart."""
        match value:
            case str():
                return self.text(value)
            case dict():
                return {key: self.value(inner) for key, inner in value.items()}
            case list() | tuple():
                return [self.value(inner) for inner in value]
        return value

    def _by_looks(self, text: str) -> str:
        text = _ARMOUR.sub(SECRET, text)
        for pattern in _patterns():
            text = pattern.sub(self._whole, text)
        text = _IN_URL.sub(self._login, _PREFIXED.sub(self._whole, text))
        text = _BEARER.sub(lambda found: f"{found[1]}{found[2]}{self._noted(found[3])}", text)
        for pattern in (_LOGIN, _OPTION, *_OF_PROGRAMS):
            text = pattern.sub(self._argument, text)
        text = _ASSIGNED.sub(self._assigned, text)
        text = _MAIL.sub(MAIL, text)
        text = _TILDE.sub(self._nobody, _HOME.sub(self._nobody, text))
        return _WORD.sub(self._random, text)

    def _noted(self, secret: str) -> str:
        if len(secret) >= LEAST and SECRET not in secret:
            self._secrets.add(secret)
        return SECRET

    def _whole(self, found: re.Match[str]) -> str:
        if SECRET in found.group():
            return found.group()
        return self._noted(found.group())

    def _login(self, found: re.Match[str]) -> str:
        if SECRET not in found.group():
            self._noted(found.group().partition(":")[2])
        return SECRET

    def _argument(self, found: re.Match[str]) -> str:
        value = found["value"]
        if value.startswith(("-", "{", "%", "./", "/")) or SECRET in value or re.fullmatch(r"\d{1,5}", value):
            return found.group()
        return f"{found['name']}{found['sign']}{found['quote']}{self._noted(value)}{found['quote']}"

    def _assigned(self, found: re.Match[str]) -> str:
        value, sign = found["value"], found["sign"]
        bare = value.strip("\"'")
        if bare.startswith(("<", "$", "{", "%", "/", "./")) or bare.lower() in ("true", "false", "none", "null"):
            return found.group()
        quote = value[0] if value[0] in "\"'" else ""
        return f"{found['name']}{sign}{quote}{self._noted(bare)}{quote}"

    def _nobody(self, found: re.Match[str]) -> str:
        if found["name"] in _NOT_USERS:
            return found.group()
        if len(found["name"]) > 3:
            self._names.add(found["name"])
        return found["base"] + USER

    def _random(self, found: re.Match[str]) -> str:
        word = found.group()
        if _HEX.match(word) or ("/" in word.strip("/") and not any(letter.isdigit() for letter in word)):
            return word
        mixed = any(each.isdigit() for each in word) and any(each.isupper() for each in word)
        is_random = mixed and any(each.islower() for each in word) and _bits(word) >= RANDOM_BITS
        return self._noted(word) if is_random else word


def redact(text: str) -> str:
    """The text with placeholders in place of what is nobody else's business; the same again when done twice."""
    return Redaction((text,)).text(text)


def redacted(value: object, beside: Iterable[str] = ()) -> object:
    """A JSON value with every text in it redacted, keys apart.

    Args:
        value: of JSON.
        beside: texts that it comes from; what is secret in one of them is so in the value too.
    """
    return Redaction((*beside, *_texts(value))).value(value)


def texts_of(triple: Triple) -> Iterator[str]:
    """The texts of a call."""
    texts = (triple.command, triple.request, triple.output, triple.stdout, triple.stderr, triple.source.cwd)
    return (text for text in texts if text)


def _texts(value: object) -> Iterator[str]:
    match value:
        case str():
            yield value
        case dict():
            for inner in value.values():
                yield from _texts(inner)
        case list() | tuple():
            for inner in value:
                yield from _texts(inner)


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


def _bits(word: str) -> float:
    """Shannon's entropy of the letters."""
    counts = Counter(word)
    return -sum(number / len(word) * math.log2(number / len(word)) for number in counts.values())
