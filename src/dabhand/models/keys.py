"""Keys to remote models: from the environment, else from the keyring; nowhere else, and never written anywhere."""

from __future__ import annotations

from collections.abc import Mapping

VARIABLES = {"openai": "OPENAI_API_KEY", "anthropic": "ANTHROPIC_API_KEY"}
SERVICE = "dabhand"
"""Under which the keyring has them: `keyring set dabhand openai`."""


def key_for(provider: str, environ: Mapping[str, str]) -> str | None:
    """The key to a provider, if there is one."""
    if named := environ.get(VARIABLES[provider], "").strip():
        return named
    try:
        import keyring
    except ImportError:
        return None
    try:
        found: str | None = keyring.get_password(SERVICE, provider)
    except Exception:  # noqa: BLE001 (a keyring is the system's, and fails in ways of its own; then there is no key)
        return None
    return found
