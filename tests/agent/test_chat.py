"""A conversation as a state: lines in, moves out, nothing touched."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dabhand.agent.chat import Conversation
from dabhand.agent.document import DoDocument, PathChange, SelfCheck, StepReport
from dabhand.agent.growing import Offer
from dabhand.agent.history import PastRun, Undone
from dabhand.agent.moves import (
    Ask,
    Carry,
    LookFor,
    Moves,
    Practise,
    Quit,
    Say,
    ShowDocument,
    ShowFile,
    TakeBack,
    Understood,
)
from dabhand.errors import NotUnderstood
from dabhand.goals import Holds, Refused, readings_of, understand
from dabhand.goals.sketch import Sketch
from dabhand.language import Kind, parse
from dabhand.toolmaking.examples import Example
from dabhand.toolmaking.search import Found
from dabhand.workspace import FOLDER, File, State
from dabhand.world import CommandReport, Effect
from dabhand.world.reading import StateView

MEANT = "the lines without those that occurred anywhere before, of the lines in byte order, of piano.txt"
SORT = "Write the lines of piano.txt sorted and without duplicates into uniq.txt."
FILES = {"piano.txt": File(b"b\na\nb\n"), "notes.txt": File(b"z\n"), "box": FOLDER, "box/e.txt": File(b"")}
TAC = CommandReport(
    "tac {A} > {B}", "understood", 12, (12, 12),
    (Effect("A is a file", "B holds concat(reverse(records(text(A))))", (9, 9), "B stays", (1, 9)),),
)  # fmt: skip
UNTRIED = CommandReport("cut -c1 {A}", "partial", 2, (0, 2), (), "tried too seldom")
FAILING = CommandReport("cut -c1 {A}", "failing", 2, (0, 2), (), "it always fails")


class Here:
    """A folder in memory, read by the real grammar; beliefs and runs as given."""

    root = "/somewhere"

    def __init__(self, *reports: CommandReport, runs: tuple[PastRun, ...] = ()) -> None:
        self.state = State(FILES)
        self.given = reports or (TAC, UNTRIED)
        self.done = runs
        self.time = 1000.0

    def kind(self, path: str) -> str:
        return StateView(self.state).kind(path)

    def understand(self, request: str) -> Understood:
        try:
            return Understood((understand(request, StateView(self.state)),))
        except NotUnderstood as error:
            return Understood(error.readings, error.message, error.hint)
        except Refused as error:
            return Understood((), error.message, error.hint, refused=True)

    def reports(self) -> tuple[CommandReport, ...]:
        return self.given

    def experiments(self) -> int:
        return 412

    def runs(self) -> tuple[PastRun, ...]:
        return self.done

    def now(self) -> float:
        return self.time


def text(moves: Moves) -> str:
    return "\n".join(move.text for move in moves if isinstance(move, Say | Ask))


def past(run_id: str, request: str, time: float, *, undoable: bool = True, undoes: str | None = None) -> PastRun:
    return PastRun(
        number=1, run_id=run_id, time=time, request=request, root="/somewhere", status="done",
        state="done" if undoable else "undone", changes=(PathChange("x", "created"),), undoable=undoable, undoes=undoes,
    )  # fmt: skip


def finished(request: str, here: Here, *created: str, status: str = "done", **more: object) -> DoDocument:
    goal = readings_of(request, StateView(here.state))[0].goal
    step = StepReport(command=TAC.command, slots={}, line="tac piano.txt > x", confidence=0.97, predicted="x is there")
    return DoDocument(
        status=status, request=request, goal=goal.to_json(), plan=(step,), self_check=SelfCheck(status == "done"),  # type: ignore[arg-type]
        changes=tuple(PathChange(path, "created") for path in created), **more,  # type: ignore[arg-type]
    )  # fmt: skip


def after(request: str, *created: str, here: Here | None = None) -> Conversation:
    here = here or Here()
    talk = Conversation(here)
    assert talk.take(request) == (Carry(request),)
    talk.carried(finished(request, here, *created))
    return talk


def test_it_begins_with_the_true_numbers() -> None:
    said = text(Conversation(Here()).begin())
    assert "I learned 1 command by experimenting (412 experiments)" in said and "1 more I know in part" in said


def test_without_anything_learned_it_offers_to_practise() -> None:
    talk = Conversation(Here(FAILING))
    assert "practise first" in text(talk.begin())
    assert talk.take("sure") == (Practise(),)
    talk = Conversation(Here(FAILING))
    talk.begin()
    assert talk.take("nah")[0].text == "All right, I leave it."  # type: ignore[union-attr]
    assert talk.question is None
    assert Practise() in Conversation(Here(FAILING), yes=True).begin()


def test_with_something_known_in_part_it_goes_to_work() -> None:
    talk = Conversation(Here(UNTRIED))
    said = text(talk.begin())
    assert "I know 1 command in part" in said and "practise" in said and "learned 0" not in said
    assert talk.question is None
    assert talk.take(SORT) == (Carry(SORT),)


def test_something_else_while_a_question_is_open_says_how_to_drop_it() -> None:
    talk = Conversation(Here())
    talk.take(SORT)
    talk.proposed(finished(SORT, Here(), "uniq.txt", status="not_done"))
    assert "no to drop it" in text(talk.take("Delete notes.txt"))


def test_a_request_is_carried_out_after_a_yes() -> None:
    here = Here()
    talk = Conversation(here)
    assert talk.take(SORT) == (Carry(SORT),)
    document = finished(SORT, here, "uniq.txt", status="not_done")
    shown = talk.proposed(document)
    assert shown[0] == ShowDocument(document, proposal=True) and isinstance(shown[1], Ask)
    assert "I took it to mean" in text(talk.take("why?")) and talk.question is not None
    assert "does not answer" in text(talk.take("delete box"))
    assert talk.take("go ahead") == () and talk.agreed
    assert "My own check agrees" in text(talk.carried(finished(SORT, here, "uniq.txt")))


@pytest.mark.parametrize("answer", ["no", "nope", "don't", "stop", "leave it"])
def test_no_means_no(answer: str) -> None:
    talk = Conversation(Here())
    talk.proposed(finished(SORT, Here(), "uniq.txt", status="not_done"))
    talk.take(answer)
    assert talk.question is None and not talk.agreed


def test_what_is_lost_is_named_in_the_question() -> None:
    document = DoDocument(
        status="not_done",
        request="x",
        changes=(PathChange("a\nb.txt", "deleted"), PathChange("c", "modified"), PathChange("moved", "deleted")),
        loses=("a\nb.txt", "c"),
    )
    (_, question) = Conversation(Here()).proposed(document)
    assert isinstance(question, Ask) and question.loses
    assert "delete 'a\\nb.txt', overwrite 'c'." in question.text


def test_what_is_not_understood_is_named_and_nothing_is_done() -> None:
    talk = Conversation(Here())
    said = text(talk.take("delete notes.txt but only on weekdays"))
    assert "on weekdays" in said
    assert "on weekdays" in text(talk.take("why not?"))
    assert "Nothing" in text(talk.take("delete absent.txt")) or "absent.txt" in text(talk.take("delete absent.txt"))


def test_why_says_goal_plan_and_what_beliefs_rest_on() -> None:
    talk = after(SORT, "uniq.txt")
    said = text(talk.take("how come?"))
    for part in (
        "uniq.txt holds",
        "tac piano.txt > x",
        "97%",
        "9 of 9",
        MEANT,
        "1 of 9",
        "0 language-model calls",
    ):
        assert part in said
    assert "not done or refused anything" in text(Conversation(Here()).take("why?"))


def test_what_a_command_does_comes_with_its_support() -> None:
    said = text(Conversation(Here()).take("what does tac do?"))
    for part in ("tac {A} > {B}", "12 experiments", "B holds", "9 of 9", "closest rival", "reverse:"):
        assert part in said
    for line in ("what does foo do?", "explain frobnicate -x"):
        assert "never tried" in text(Conversation(Here()).take(line)), line
    many = [CommandReport(f"sort {flag} {{A}}", "understood", 9, (9, 9), TAC.effects) for flag in "rnu"]
    brief = text(Conversation(Here(*many)).take("what does sort do?"))
    assert brief.count("9 of 9") >= 3 and "closest rival" not in brief
    said = text(Conversation(Here()).take("explain cut"))
    assert "partial" in said and "tried too seldom" in said


def test_several_readings_are_a_choice_by_number() -> None:
    here = Here()
    goals = (
        understand("Delete notes.txt", StateView(here.state)),
        understand("Delete piano.txt", StateView(here.state)),
    )

    class Unsure(Here):
        def understand(self, request: str) -> Understood:
            return Understood(goals)

    for answer, chosen in (("2", 1), ("the first one", 0), ("2)", 1), ("two", 1), ("number one", 0)):
        talk = Conversation(Unsure())
        (question,) = talk.take("delete it or the other")
        assert isinstance(question, Ask) and question.choices == ("notes.txt is gone", "piano.txt is gone")
        assert "number from 1 to 2" in text(talk.take("both"))
        assert talk.take(answer) == (Carry("delete it or the other", goals[chosen]),)
    talk = Conversation(Unsure())
    talk.take("delete it or the other")
    assert not any(isinstance(move, Carry) for move in talk.take("no"))


def conditions(moves: Moves) -> set[object]:
    (carry,) = [move for move in moves if isinstance(move, Carry)]
    goal = carry.goal or understand(carry.request, StateView(State(FILES | {"more.txt": File(b"1\n")})))
    return set(goal.conditions)


def test_the_same_for_another_file_proposes_a_free_name_and_takes_another() -> None:
    def wanted(name: str) -> set[object]:
        words = SORT.replace("piano", "notes").replace("uniq.txt", name)
        return set(understand(words, StateView(State(FILES))).conditions)

    here = Here()
    talk = after(SORT, "uniq.txt", here=here)
    moves = talk.take("now do the same for notes.txt")
    assert conditions(moves) == wanted("notes-uniq.txt") and "notes-uniq.txt" in text(moves)
    document = finished(SORT.replace("piano", "notes").replace("uniq", "notes-uniq"), here, "notes-uniq.txt")
    talk.proposed(document)
    assert "another name" in text(talk.take("perhaps")) and talk.question is not None
    assert talk.take("no, call it second.txt") == () and not talk.agreed
    refused = msgspec.structs.replace(document, status="refused", changes=(), reason="You said no.")
    assert conditions(talk.carried(refused)) == wanted("second.txt")
    talk = after(SORT, "uniq.txt")
    assert conditions(talk.take("the same for notes.txt into second.txt")) == wanted("second.txt")


def test_a_name_is_never_one_that_is_taken() -> None:
    request = "Write the lines of piano.txt sorted into piano-sorted.txt"
    expected = set(understand(request.replace("piano", "notes"), StateView(State(FILES))).conditions)
    assert conditions(after(request, "piano-sorted.txt").take("likewise for notes.txt")) == expected
    here = Here()
    taken = {"notes-sorted.txt": File(b"precious\n"), "notes-piano-sorted.txt": File(b"too\n")}
    talk = after(request, "piano-sorted.txt", here=here)
    here.state = State({**FILES, **taken})
    (path,) = {one.path for one in conditions(talk.take("likewise for notes.txt"))}  # type: ignore[attr-defined]
    assert path == "notes-piano-sorted-2.txt"


def test_the_same_without_a_result_or_in_a_folder() -> None:
    assert "notes.txt" in after("Delete piano.txt").take("and notes.txt")[0].text  # type: ignore[union-attr]
    copied = after("Copy piano.txt into box", "box/piano.txt").take("now do that for notes.txt too")
    assert {one.path for one in conditions(copied)} == {"box/notes.txt"}  # type: ignore[attr-defined]
    made = after("Make a folder called shelf", "shelf").take("the same for attic.d")
    assert {one.path for one in conditions(made)} == {"attic.d"}  # type: ignore[attr-defined]


def test_the_same_for_several_files_goes_on_until_one_fails() -> None:
    here = Here()
    here.state = State({**FILES, "more.txt": File(b"1\n")})
    talk = after("Delete piano.txt", here=here)
    first = talk.take("do the same for notes.txt and more.txt")
    assert {one.path for one in conditions(first)} == {"notes.txt"}  # type: ignore[attr-defined]
    second = talk.carried(finished("Delete notes.txt", here))
    assert {one.path for one in conditions(second)} == {"more.txt"}  # type: ignore[attr-defined]
    talk = after("Delete piano.txt", here=here)
    talk.take("do the same for notes.txt and more.txt")
    stopped = talk.carried(finished("Delete notes.txt", here, status="refused", reason="You said no."))
    assert not any(isinstance(move, Carry) for move in stopped)


@pytest.mark.parametrize(
    ("line", "reason"),
    [("the same for absent.txt", "absent.txt"), ("the same for box", "in whose place")],
)
def test_what_cannot_be_the_same_is_said(line: str, reason: str) -> None:
    moves = after(SORT, "uniq.txt").take(line)
    assert reason in text(moves) and not any(isinstance(move, Carry) for move in moves)
    assert "nothing yet" in text(Conversation(Here()).take("the same for notes.txt"))


def test_of_two_sources_it_asks_which() -> None:
    request = "Join piano.txt and notes.txt into both.txt"
    here = Here()
    here.state = State({**FILES, "more.txt": File(b"1\n")})
    talk = after(request, "both.txt", here=here)
    (question,) = talk.take("do the same with more.txt")
    assert isinstance(question, Ask) and set(question.choices) == {"piano.txt", "notes.txt"}


def test_undo_takes_back_what_was_done_in_this_conversation() -> None:
    mine, older = past("r2", SORT, 1001.0), past("r1", "Delete x", 10.0)
    undone, undoing = past("r3", "y", 1002.0, undoable=False), past("r4", "undo y", 1003.0, undoes="r3")
    talk = Conversation(Here(runs=(older, mine, undone, undoing)))
    assert talk.take("undo that") == (TakeBack(mine),)
    made = Undone(
        status="undone", run_id="r2", undo_id="r5", request=SORT, root="/", changes=(PathChange("uniq.txt", "deleted"),)
    )
    assert "removes uniq.txt" in text(talk.taken_back(made))
    talk = Conversation(Here(runs=(older, undone, undoing)))
    (question,) = talk.take("please put it back")
    assert isinstance(question, Ask) and "16 minutes ago" in question.text
    assert talk.take("yes") == (TakeBack(older),)
    assert "nothing" in text(Conversation(Here()).take("undo"))
    (_, question) = Conversation(Here(runs=(mine,))).take("undo that immediately")
    assert isinstance(question, Ask)  # a word was passed over


def test_small_talk() -> None:
    talk = Conversation(Here(runs=(past("r", SORT, 900.0),)))
    assert talk.take("show me notes.txt") == (ShowFile("notes.txt"),)
    talk.shown("notes.txt", 21)
    assert talk.take("more") == (ShowFile("notes.txt", 21),)
    assert "absent.txt" in text(talk.take("show me absent.txt"))
    assert SORT in text(talk.take("what did you do?"))
    assert "tac" in text(talk.take("what can you do?")) and "cut" in text(talk.take("what can you do?"))
    assert "asked nothing" in text(talk.take("yes"))
    assert talk.take("bye") == (Quit(),)
    assert talk.take("") == () and "asked nothing" not in text(talk.take("   "))
    assert "quit" in text(talk.take("help"))


def test_what_no_grammar_reads_is_left_to_a_model_where_there_is_one() -> None:
    class Asking(Here):
        def understand(self, request: str) -> Understood:
            return Understood(reason="I do not understand it.", askable=True)

    assert Conversation(Asking()).take("sing a song") == (Carry("sing a song"),)
    assert not isinstance(Conversation(Asking()).take("undo that immediately")[0], Carry)


def test_pasted_lines_are_one_request() -> None:
    moves = Conversation(Here()).take("Delete notes.txt\nyes\nDelete piano.txt")
    assert not any(isinstance(move, Carry) for move in moves) and "3 pasted lines" in text(moves)
    assert Conversation(Here()).take("Delete\nnotes.txt") == (Carry("Delete\nnotes.txt"),)


def test_what_is_too_long_is_not_read() -> None:
    assert "no more than" in text(Conversation(Here()).take("delete notes.txt " * 10_000))


def test_quitting_at_a_question_is_a_no() -> None:
    talk = Conversation(Here())
    talk.proposed(finished(SORT, Here(), "uniq.txt", status="not_done"))
    assert Quit() in talk.take("quit") and not talk.agreed and talk.question is None


@settings(max_examples=25)
@given(
    st.lists(
        st.one_of(st.text(max_size=30), st.sampled_from(["yes", "no", "undo", "why?", "same for notes.txt", SORT])),
        max_size=6,
    )
)
def test_nothing_that_is_said_breaks_a_conversation(lines: list[str]) -> None:
    talk = Conversation(Here())
    talk.begin()
    for line in lines:
        talk.take(line)


def test_a_tool_is_offered_and_agreed_to() -> None:
    talk = Conversation(Here())
    moves = talk.offered(Offer("count_vowels", "line(digits(count(vowels(chars(given)))))"))
    assert "None of my commands can do that" in text(moves) and "'count_vowels'" in text(moves)
    talk.take("what can you do?")
    assert talk.question is not None
    talk.take("yes")
    assert talk.agreed and talk.question is None
    talk.offered(Offer("count_vowels", "..."))
    talk.take("no")
    assert not talk.agreed


def test_what_no_words_say_can_be_shown() -> None:
    class Strange(Here):
        def understand(self, request: str) -> Understood:
            return Understood(reason="I do not understand it.", sketch=Sketch("piano.txt", "out.txt"), text="b\na\n")

    talk = Conversation(Strange())
    moves = talk.take("frobnicate piano.txt into out.txt")
    assert "Show me what 'out.txt' should hold for 'piano.txt'" in text(moves)
    for agreed in ("yes", "Yes.", "ok"):
        assert "does not answer" in text(talk.take(agreed)) and talk.question is not None, agreed
    (_, looking) = talk.take(r"yes\n")
    assert isinstance(looking, LookFor) and looking.shown.examples == (Example("b\na\n", "yes\n"),)
    talk.take("frobnicate piano.txt into out.txt")
    (_, looking) = talk.take("b,a")
    assert isinstance(looking, LookFor) and looking.shown.examples == (Example("b\na\n", "b,a\n"),)
    program = parse('line(joined(",", lines(text(A))))', {"A": Kind.PATH})
    several = Found(program, others=(program,), telling="q\n", answers=("q\n", "Q\n"))
    (question,) = talk.looked(looking.shown, several)
    assert isinstance(question, Ask) and question.choices == (repr("q\n"), repr("Q\n"))
    (again,) = talk.take("2")
    assert isinstance(again, LookFor) and again.shown.examples[1] == Example("q\n", "Q\n")
    (asked,) = talk.looked(again.shown, Found(program, next_input="x\ny\n"))
    assert isinstance(asked, Ask) and asked.choices[0] == repr("x,y\n")
    (sure,) = talk.take("1")
    assert isinstance(sure, LookFor) and sure.shown.examples[2] == Example("x\ny\n", "x,y\n")
    talk.looked(again.shown, Found(program, next_input="x\ny\n"))
    talk.take("2")
    (other,) = talk.take("y,x")
    assert isinstance(other, LookFor) and other.shown.examples[2] == Example("x\ny\n", "y,x\n")
    assert "says too little" in text(talk.looked(again.shown, Found(program)))
    (carry,) = talk.looked(again.shown, Found(program, held_back=(3, 3)))
    assert isinstance(carry, Carry) and carry.goal is not None
    assert carry.goal.conditions == (Holds("out.txt", parse('line(joined(",", lines(text("piano.txt"))))', {})),)
    assert "no program" in text(talk.looked(again.shown, Found(None)))
    talk.take("frobnicate piano.txt into out.txt")
    assert "leave it" in text(talk.take("no"))
