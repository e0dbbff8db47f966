"""Which models there are to translate requests; whoever never needs one loads nothing for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dabhand.goals.models import TranslationModel


def every_model() -> tuple[TranslationModel, ...]:
    """Our own models that are here, and those that packages offer."""
    from dabhand.goals.backends import own_models
    from dabhand.goals.models import registered_models

    return (*own_models(), *registered_models())
