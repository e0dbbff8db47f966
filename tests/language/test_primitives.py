"""What terms say about everyday files: sums, tables, JSON, words; exact where numbers are."""

from __future__ import annotations

import pytest

from dabhand.language import TEXT, EvalError, evaluate, parse
from dabhand.language.samples import TextFolder

PEOPLE = 'name,city,age\nAnn,Rome,31\nBob,"Oslo, N",7\nCid,Rome,44.5\n'
JSON = '[{"name": "Ann", "age": 31}, {"name": "Bob", "age": 7}, {"name": "Zoë", "age": 44.50}]'


@pytest.mark.parametrize(
    ("text", "given", "expected"),
    [
        ("line(digits(sum(numbers(lines(X)))))", "0.1\n0.2\n\n3\n", "3.3\n"),
        ("line(digits(mean(numbers(lines(X)))))", "1\n2\n4\n5", "3\n"),
        ("line(digits(rounded(2, mean(numbers(lines(X))))))", "1\n2\n2\n", "1.67\n"),
        ("line(digits(median(numbers(lines(X)))))", "10\n-3\n2.5\n4\n", "3.25\n"),
        ("line(most_common(words(X)))", "b a b c a b", "b\n"),
        ('line(digits(sum(numbers(column("age", csv(X))))))', PEOPLE, "82.5\n"),
        ('line(digits(mean(numbers(column("age", csv(X))))))', PEOPLE, "27.5\n"),
        ('line(most_common(column("city", csv(X))))', PEOPLE, "Rome\n"),
        ("unlines(column_at(2, csv(X)))", PEOPLE, "Rome\nOslo, N\nRome\n"),
        ('as_csv(rows_above("age", 30, csv(X)))', PEOPLE, "name,city,age\nAnn,Rome,31\nCid,Rome,44.5\n"),
        ('as_csv(rows_where("city", "Oslo, N", csv(X)))', PEOPLE, 'name,city,age\nBob,"Oslo, N",7\n'),
        ('unlines(scalars(each_key("name", items_above("age", 30, json(X)))))', JSON, "Ann\nZoë\n"),
        ('line(as_json(each_key("age", json(X))))', JSON, "[31, 7, 44.50]\n"),
        ("unlines(keys(json(X)))", '{"b": 1, "a": null}', "b\na\n"),
        ("line(digits(count(vowels(chars(X)))))", "Hello World\nAEI", "6\n"),
        ("line(longest(lines(X)))", "a\nccc\nbbb\n", "ccc\n"),
        ("title(X)", "hello wide world\n", "Hello Wide World\n"),
        ("title(X)", "don't\télan x-RAY 2nd\n", "Don't\tÉlan X-ray 2nd\n"),
        ("capitalized(X)", "it's élan\n", "It's Élan\n"),
        ("unlines(written(even(numbers(lines(X)))))", "1\n2\n-4\n0\n", "2\n-4\n0\n"),
        ("unlines(distinct(lines(X)))", "b\na\nb\n", "b\na\n"),
        ("line(digits(count(words(X))))", "", "0\n"),
        ("line(digits(over(1, 3)))", "", "0.333333333333\n"),
        ("line(digits(over(2, 3)))", "", "0.666666666667\n"),
        ("line(digits(over(1, 8192)))", "", "0.0001220703125\n"),
        ("line(digits(over(1000000000000001, 7)))", "", "142857142857143\n"),
        ("line(digits(over(1000000000000000, 7)))", "", "142857142857142.86\n"),
        ("line(digits(times(0.5, 0.2)))", "", "0.1\n"),
        ("line(digits(sum(numbers(lines(X)))))", "\ufeff1\n2\n", "3\n"),
        ('unlines(column("name", csv(X)))', "\ufeffname,age\r\nAnn,3\r\n", "Ann\n"),
        ('unlines(column("name", csv(X)))', "name,age\nAnn\u2028B\x0c,3\nC\x85D,4\n", "Ann\u2028B\x0c\nC\x85D\n"),
        ("line(digits(item_count(json(X))))", "\ufeff[1, 2]\n", "2\n"),
        ("unlines(every_last(2, lines(X)))", "a\nb\nc\nd\n", "b\nd\n"),
        ("unlines(every(2, lines(X)))", "a\nb\nc\n", "a\nc\n"),
        ('unlines(counted(". ", lines(X)))', "a\n\n", "1. a\n2. \n"),
        ("unlines(recurring(lines(X)))", "b\na\nb\nc\nc\nb\n", "b\nc\n"),
        ("unlines(unrepeated(lines(X)))", "b\na\nb\n", "a\n"),
        ("unlines(addresses(X))", "Write to a.b@c.de, or x@y.org.\n", "a.b@c.de\nx@y.org\n"),
        ("line(digits(count(consonants(chars(X)))))", "Why not? É\n", "5\n"),
    ],
)
def test_what_a_term_says(text: str, given: str, expected: str) -> None:
    assert evaluate(parse(text, {"X": TEXT}), {"X": given}, TextFolder({})) == expected


@pytest.mark.parametrize(
    ("text", "given"),
    [
        ("line(digits(sum(numbers(lines(X)))))", "1\ntwo\n"),
        ("line(digits(mean(numbers(lines(X)))))", "\n"),
        ('unlines(column("price", csv(X)))', PEOPLE),
        ("header(csv(X))", ""),
        ("json(X)", '{"a": NaN}'),
        ("json(X)", "[" * 5000),
        ("over(1, 0)", ""),
        ('names("gone")', ""),
        ("longest(lines(X))", ""),
        ("item(0, lines(X))", "a"),
    ],
)
def test_where_a_term_has_no_value(text: str, given: str) -> None:
    with pytest.raises(EvalError):
        evaluate(parse(text, {"X": TEXT}), {"X": given}, TextFolder({}))
