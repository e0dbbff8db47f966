"""What leaves the triples holds no secret, no address and no name of a home folder."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dabhand.corpus.redacting import redact, redacted


def made(*parts: str) -> str:
    """A secret of its kind, put together here so that no scanner of this repository takes it for one."""
    return "".join(parts)


SECRETS = [
    made("ghp_", "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"),
    made("AKIA", "IOSFODNN7EXAMPLE"),
    made("sk_live_", "4eC39HqLyjWDarjtT1zdp7dc"),
    made("xoxb-", "123456789012-123456789012-abcdefABCDEF1234567890ab"),
    made("eyJhbGciOiJIUzI1NiJ9.", "eyJzdWIiOiIxMjM0In0.", "c2lnbmF0dXJlLW9mLXRoaXM"),
    made("npm_", "abcdefghijklmnopqrstuvwxyz0123456789"),
]
PLACES = ["export X={}", "curl -H 'Authorization: Bearer {}' example.org", "echo {} > f", "url=https://{}@host/x"]


@pytest.mark.parametrize("secret", SECRETS)
@pytest.mark.parametrize("place", PLACES)
def test_keys_are_gone(secret: str, place: str) -> None:
    assert secret not in redact(place.format(secret))


@pytest.mark.parametrize(
    ("text", "hidden"),
    [
        ("mysql --password=hunter22 -u root", "hunter22"),
        ("DB_PASSWORD: 'correct-horse'", "correct-horse"),
        ('{"client_secret": "abc123def456"}', "abc123def456"),
        ("git clone https://me:s3cret@host/x.git", "s3cret"),
        ("mail jane.doe+x@example.co.uk now", "jane.doe"),
        ("cd /home/jane/work", "jane"),
        ("type C:\\Users\\Jane Doe\\x", "Jane"),
        ("ls /Users/jdoe/Library", "jdoe"),
        ("mysql -u root -phunter22 db", "hunter22"),
        ("mysqldump --host x -p'hunter22' db", "hunter22"),
        ("sshpass -p hunter22 ssh me@x", "hunter22"),
        ("sshpass -phunter22 ssh me@x", "hunter22"),
        ("docker login -u me -p hunter22 r.io", "hunter22"),
        ("unzip -P hunter22 a.zip", "hunter22"),
        ("redis-cli -a hunter22 ping", "hunter22"),
        ("curl -u me:hunter22 http://x", "hunter22"),
        ("curl -sS --user 'me:hunter22' http://x", "hunter22"),
        ("wget --password hunter22 http://x", "hunter22"),
        ("tool --api-key hunter22 run", "hunter22"),
        ('tool --token "hunter22" run', "hunter22"),
        ("openssl enc -pass pass:hunter22", "hunter22"),
        ("ls ~jane/x", "jane"),
        ("cd ~jane && ls", "jane"),
        ("-----BEGIN RSA PRIVATE KEY-----\nabc\nMIIE\n-----END RSA PRIVATE KEY-----", "MIIE"),
        ("key " + made("Zm9vYmFy", "QmF6UXV4MTIz", "NDU2Nzg5MEFCQ0RFRg"), "QmF6UXV4MTIz"),
    ],
)
def test_the_private_is_gone(text: str, hidden: str) -> None:
    assert hidden not in redact(text)


@pytest.mark.parametrize(
    "text",
    [
        "git show 378b6b7d9f8e7c6b5a4d3e2f1a0b9c8d7e6f5a4b",
        "grep -n token src/lexer.py",
        "docker run a1b2c3d4-e5f6-7890-abcd-ef1234567890",
        "cat src/components/authentication/PasswordResetFormContainer.tsx",
        "pytest tests/test_a_very_long_name_that_says_what_it_tests_in_detail.py -k secret",
        "export TOKEN=$GITHUB_TOKEN",
        "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
        "secret = True",
        "docker run -u 1000:1000 -p 8080:80 x",
        "mkdir -p src/a",
        "git push -u origin main:main",
        "git log HEAD~main..x",
        "cp -p a b",
        "tool --token $TOKEN --password -x",
        "ls ~/x",
    ],
)
def test_what_is_no_secret_stays(text: str) -> None:
    assert redact(text) == text


def test_everything_in_a_value_is_looked_at() -> None:
    assert redacted({"a": ["x@y.org", 1, {"b": "/home/me/x"}]}) == {"a": ["<mail>", 1, {"b": "/home/user/x"}]}


def test_what_is_secret_in_one_place_is_so_in_every_other() -> None:
    value = {"a": "curl -u me:hunter22 x", "b": ["hunter22 was sent", "for jane"], "c": "/home/jane/x"}
    assert redacted(value) == {
        "a": "curl -u me:<secret> x",
        "b": ["<secret> was sent", "for user"],
        "c": "/home/user/x",
    }
    assert redacted({"word": "hunter22"}, ["DB_PASSWORD=hunter22"]) == {"word": "<secret>"}
    assert redacted("work on it in /home/work/x") == "work on it in /home/user/x"


@given(st.text(max_size=200))
def test_twice_is_once(text: str) -> None:
    assert redact(redact(text)) == redact(text)
