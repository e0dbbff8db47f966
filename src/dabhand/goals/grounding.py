"""Holding acts against a folder: what each path would hold in the end, as terms over the folder as it was."""

from __future__ import annotations

import msgspec

from dabhand.errors import NotUnderstood
from dabhand.goals import acts as say
from dabhand.goals.caution import WHOLE_WORD, require_ended, require_one_meaning, text_here
from dabhand.goals.expressions import require_whole, say_text, speaks_of_both, speaks_of_it
from dabhand.goals.following import Entries
from dabhand.goals.frames import source_of
from dabhand.goals.goal import Ambiguous, Answers, Condition, Goal, Holds, Refused
from dabhand.goals.imagined import Made
from dabhand.goals.listing import names_in
from dabhand.goals.meant import meant, require_short
from dabhand.goals.operations import OPERATIONS, beside, finished, joined, line_of
from dabhand.language import Const, FolderView, Kind, Term


def ground(acts: say.Acts, folder: FolderView) -> Goal:
    """The goal that acts, done one after the other in this folder, come to.

    Raises:
        Refused: an act speaks of what is not there, or would undo what it needs.
        NotUnderstood: "it" stands for nothing, or a text was worked out that goes nowhere.
    """
    grounding = _Grounding(folder)
    for act in acts:
        grounding.do(act)
    if all(isinstance(act, say.Mention | say.Keep | say.Guard) for act in acts):
        raise NotUnderstood("Nothing is asked to be done.", "Say what is to be done.")
    grounding.settle()
    return grounding.goal()


class _Grounding(Entries):
    """A request being followed, act by act: the texts it works out, and where each of them goes."""

    def __init__(self, folder: FolderView) -> None:
        super().__init__(folder)
        self.answer: Term | None = None
        self.held: Term | None = None
        self.held_unsettled: str | None = None
        self.fallback: str | None = None
        self.kept: list[str] = []
        self.made_from: dict[str, str] = {}

    # -- texts --------------------------------------------------------------------------------------------------------

    def term(self, expression: say.Expression) -> Term:
        """The term for an expression."""
        match expression:
            case say.FileText(say.IT) if self.held is not None:
                return self.held
            case say.FileText(path):
                plain = self.named(path)
                text = self.now.text(plain)
                self.spoken.speak_of(plain)
                self.spoken.note_source(plain)
                return text
            case say.Words(text=text):
                return line_of(text)
            case say.Names(path, kind):
                return self._names(self.named(path), kind)
            case say.Changed(operation, args, of):
                inner = self.term(of)
                operation, args = meant(operation, args, inner, self.folder)
                require_one_meaning(operation, args, inner, self.folder)
                return OPERATIONS[operation.removesuffix(WHOLE_WORD)](inner, *args)
            case say.Joined(parts, is_beside):
                return self._joined(self._parts(parts), is_beside)

    def _parts(self, parts: tuple[say.Expression, ...]) -> tuple[say.Expression, ...]:
        if parts == (say.FileText(say.BOTH),):
            return tuple(map(say.FileText, self.spoken.both()))
        return parts

    def _joined(self, parts: tuple[say.Expression, ...], is_beside: bool) -> Term:
        terms = [self.term(part) for part in parts]
        if is_beside:
            if len(terms) != 2:
                raise NotUnderstood("Only two files can be put side by side.", "Name two files.")
            return beside(terms[0], terms[1])
        whole = terms[0]
        for part, term in zip(parts[1:], terms[1:], strict=True):
            require_ended(text_here(whole, self.folder), say_text(parts[0]), say_text(part))
            whole = joined(whole, term)
        return whole

    def _names(self, path: str, kind: str) -> Term:
        self.now.require(path, "folder")
        if self.now.changed_in(path):
            raise Refused(
                f"What is in {path or '.'!r} is changed by the request itself.", "Ask for the list afterwards."
            )
        return names_in(path, kind, self.folder)

    # -- acts ---------------------------------------------------------------------------------------------------------

    def do(self, act: say.Act) -> None:
        """Do one act in symbols."""
        if self.held is not None and isinstance(act, say.Hold | say.Tell | say.Write) and speaks_of_both(act.content):
            raise NotUnderstood('"Them" stands for lines here, not for files.', "Name the files.")
        match act:
            case say.Hold(content, fallback):
                self._hold(content, fallback)
            case say.Tell(content):
                self._tell(content)
            case say.Write(content, path):
                self._write(content, path, act.contains)
            case say.Keep(path):
                self._keep(path)
            case say.Delete(path=say.BOTH) | say.MakeExecutable(path=say.BOTH):
                for each in self.spoken.both():
                    self.do(msgspec.structs.replace(act, path=each))
            case say.Move(source=say.IT, put=True) if self.held_unsettled is not None:
                raise NotUnderstood('"It" stands for a text here, which goes into a file.', "Name the file.")
            case say.Copy(source=say.BOTH) | say.Move(source=say.BOTH):
                for each in self.spoken.both():
                    self.do(msgspec.structs.replace(act, source=each))
            case say.Append(content, path, at_front, own_line) if self.held is not None and speaks_of_it(content):
                self._append_held(content, path, at_front, own_line)
            case _:
                self.settle()
                self._do_to_entry(act)

    def _append_held(self, content: say.Expression, path: str, at_front: bool, own_line: bool) -> None:
        """Add the text that was worked out to a file; one that was shown is shown all the same."""
        if path == say.IT or self.fallback not in (None, say.ANSWER):
            raise NotUnderstood('It is not clear what "it" stands for.', "Name the file.")
        added = self.term(content)
        self.held = self.held_unsettled = self.fallback = None
        self._append_text(added, content, self.named(path), at_front, own_line)

    def _hold(self, content: say.Expression, fallback: str | None) -> None:
        about_it = speaks_of_it(content)
        if fallback not in (None, say.ANSWER):
            require_whole(content)
        if fallback == say.IT:
            fallback = None if self.held is not None else self.named(say.IT)
        term = self.term(content) if about_it else None
        if not about_it or (fallback == say.ANSWER and self.fallback not in (None, say.ANSWER)):
            self.settle()
        elif fallback is None:
            fallback = self.fallback  # an edit of what was being edited in place stays there
        self.held = self.term(content) if term is None else term
        self.held_unsettled = say_text(content)
        self.fallback = fallback if fallback in (None, say.ANSWER) else self.named(fallback)

    def _tell(self, content: say.Expression) -> None:
        term = self.term(content)
        if speaks_of_it(content) and self.fallback not in (None, say.ANSWER):
            raise Ambiguous(
                f"The request can be taken in 2 ways: {self.fallback!r} is changed; or: it stays as it is, and only "
                "what it would be is shown.",
                'Say "in place", or ask only to show it.',
            )
        self._answer(term)
        self.held, self.held_unsettled, self.fallback = term, None, None

    def _answer(self, term: Term) -> None:
        if self.answer is not None:
            raise NotUnderstood("The request asks for two answers.", "Ask for one at a time.")
        self.answer = term

    def _write(self, content: say.Expression, path: str, contains: bool) -> None:
        about_it = speaks_of_it(content)
        if not about_it:
            self.settle()
        # "it" is what was spoken of before this clause, unless nothing was.
        spoken = self.spoken.last if path == say.IT and not about_it else None
        term = self.term(content)
        self._require_no_exchange(content, path)
        edited = None if self.fallback == say.ANSWER else self.fallback
        back = path in (say.IT, say.ITSELF)
        if path == say.ITSELF:
            require_whole(content)
        target = edited if back and edited else spoken or self.named(say.IT if back else path)
        if contains and self.now.kind(target) == "file" and text_here(self.now.text(target), self.folder):
            raise Ambiguous(
                f"{target!r} holds something already, so the request can be taken in 2 ways: it is to hold nothing "
                "but these words; or: these words too.",
                'Say "only" or "append".',
            )
        self.held = self.held_unsettled = self.fallback = None
        self._place_text(target, term, say.Write)

    def _require_no_exchange(self, content: say.Expression, path: str) -> None:
        """Decline to write a file from one that was just written from it: which text is meant is not said."""
        source = source_of(content)
        if source is not None and not source.startswith("\0") and not path.startswith("\0"):
            if self.made_from.get(self.named(source)) == self.named(path):
                raise Ambiguous(
                    f"{source!r} and {path!r} are each written from the other, so the request can be taken in 2 ways.",
                    "Use a third name.",
                )
            self.made_from[self.named(path)] = self.named(source)

    def _do_to_entry(self, act: say.Act) -> None:
        match act:
            case say.MakeFolder(path, tolerant):
                self.make_folder(self.named(path), tolerant)
            case say.MakeFile(path, content):
                self._make_file(self.named(path), content)
            case say.Append(content, path, at_front, own_line):
                self._append(content, self.named(path), at_front, own_line)
            case say.Copy(source, target, into, kind):
                self.now.require(self.named(source), kind)
                self.copy(self.named(source), target, into)
            case say.Move(source, target, into, rename, kind=kind):
                self.now.require(self.named(source), kind)
                self.move(self.named(source), target, into, rename)
            case say.Swap(first, second):
                self.swap(self.named(first), self.named(second))
            case say.Delete(path, kind):
                self.require_one(path)
                self.delete(self.named(path), kind)
            case say.MakeExecutable(path, executable):
                self.make_executable(self.named(path), executable)
            case say.Mention(path, claim):
                self.mention(self.named(path), claim)
            case say.Guard(path, exists):
                self.require_guard(self.named(path), exists)

    def settle(self) -> None:
        """Put a text that was worked out where it goes when nothing more is said.

        Raises:
            NotUnderstood: when that was not said and there are two ways to take it.
        """
        if self.held_unsettled is not None and self.held is not None:
            if self.fallback is None:
                raise NotUnderstood(
                    f"It is not said where {self.held_unsettled} should go: shown, or into the file itself?",
                    'Say "... into FILE", "... in place", or "show ...".',
                )
            if self.fallback == say.ANSWER:
                self._answer(self.held)
            else:
                self._place_text(self.fallback, self.held, say.Write)
        self.held = self.held_unsettled = self.fallback = None

    def _place_text(self, path: str, text: Term, act: type) -> None:
        if self.now.kind(path) == "folder":
            raise Refused(f"{path!r} is a folder; a text cannot be written into it.", "Name a file.")
        self.now.require_parent(path)
        self.now.things[path] = Made(text)
        source = self.spoken.last
        self.spoken.speak_of(path)
        self.spoken.note_result(path, act)
        if source is not None and source != path:
            self.spoken.rivals = (source,)

    def _keep(self, path: str) -> None:
        plain = self.named(path) if path and path != say.SOURCES else path
        if plain and plain != say.SOURCES and self.folder.kind(plain) == "missing":
            self.now.require(plain)
        self.kept.append(plain)
        if plain and plain != say.SOURCES and self.spoken.last is None:
            self.spoken.speak_of(plain)

    def _make_file(self, path: str, content: say.Expression | None) -> None:
        if self.now.kind(path) != "missing":
            raise Refused(f"{path!r} is there already.")
        self._place_text(path, Const("", Kind.TEXT) if content is None else self.term(content), say.MakeFile)

    def _append(self, content: say.Expression, path: str, at_front: bool, own_line: bool) -> None:
        self._append_text(self.term(content), content, path, at_front, own_line)

    def _append_text(self, added: Term, content: say.Expression, path: str, at_front: bool, own_line: bool) -> None:
        old = self.now.text(path)
        before, after = (added, old) if at_front else (old, added)
        text = text_here(before, self.folder)
        if text and not text.endswith("\n"):
            if not own_line and not (isinstance(content, say.Words) and content.own_line):
                above, below = (say_text(content), repr(path)) if at_front else (repr(path), say_text(content))
                require_ended(text, above, below)
            before = finished(before)
        self._place_text(path, joined(before, after), say.Append)

    # -- what it all comes to -----------------------------------------------------------------------------------------

    def goal(self) -> Goal:
        """The conditions.

        Raises:
            Refused: what is to stay as it is would be changed.
        """
        conditions: list[Condition] = list(self.now.conditions())
        kept = [each for path in self.kept for each in (self.now.reads if path == say.SOURCES else (path,))]
        for path in kept:
            if path and self.now.touches(path):
                raise Refused(f"The request changes {path!r} and wants it to stay as it is.", "Ask for one of the two.")
        if self.answer is not None:
            conditions.append(Answers(self.answer))
        for condition in conditions:
            if isinstance(condition, Holds | Answers):
                require_short(condition.content, self.folder)
        return Goal(tuple(conditions), tuple(self.now.reads))
