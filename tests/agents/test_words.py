"""Words as search compares them: as SQLite's own full-text search reduces them."""

from __future__ import annotations

import sqlite3

import pytest

from agents.words import placed, root_of, words_of

VARIED = """
caresses ponies ties caress cats feed agreed plastered bled motoring sing conflated troubled sized hopping tanned falling hissing fizzed
failing filing happy sky relational conditional rational valency hesitancy digitizer conformably radically differently vilely analogously
vietnamization predication operator feudalism decisiveness hopefulness callousness formality sensitivity sensibility triplicate formative
formalize electricity electrical hopeful goodness revival allowance inference airliner gyroscopic adjustable defensible irritant
replacement adjustment dependent adoption communism activate angularity homologous effective bowdlerize probate rate cease controll roll
parser parsers parsing tests testing tested retries retrying archaeology champion opinion religion yes syzygy aeiou rhythms bbb by is
naïve café größe überprüfungen 数据库 мемуары v2 abc123 x
""".split()  # noqa: SIM905 — as many words


def test_words_are_reduced_as_the_database_reduces_them() -> None:
    with sqlite3.connect(":memory:") as database:
        database.execute("CREATE VIRTUAL TABLE kept USING fts5(word, tokenize='porter unicode61 remove_diacritics 2')")
        database.execute("CREATE VIRTUAL TABLE vocabulary USING fts5vocab(kept, 'instance')")
        database.executemany("INSERT INTO kept(rowid, word) VALUES (?, ?)", enumerate(VARIED))
        theirs = dict(database.execute("SELECT doc, term FROM vocabulary"))
    database.close()
    assert {word: root_of(word) for word in VARIED} == {word: theirs[number] for number, word in enumerate(VARIED)}


@pytest.mark.parametrize("forms", [("parser", "parsers"), ("test", "tests", "testing", "Tested"), ("retry", "retries"), ("CAFÉ", "cafes")])
def test_the_forms_of_a_word_are_one(forms: tuple[str, ...]) -> None:
    assert len({root_of(form) for form in forms}) == 1


def test_every_sign_that_is_no_letter_or_digit_parts_words() -> None:
    assert words_of("src/lexer_test.py: it's <b>größer</b>") == ["src", "lexer", "test", "py", "it", "s", "b", "größer", "b"]


def test_a_word_is_told_with_its_place() -> None:
    text = "😀 Fixing parsers"
    assert [(text[start:end], root) for start, end, root in placed(text)] == [("Fixing", "fix"), ("parsers", "parser")]
