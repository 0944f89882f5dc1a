"""Whatever a model, a provider or a command does: the log says so, and the session goes on with the next message."""

from __future__ import annotations

import json
import resource
from typing import Any

import pytest

from agents import events as e
from tests.workspace.sessions.commands import Do
from tests.workspace.sessions.driving import allow_everything, decide, goes_on, of, say, state
from workspace.accounts.models import User
from workspace.errors import Invalid
from workspace.projects.models import Project, Rule
from workspace.sessions import protocol, workbench
from workspace.sessions.models import LoggedFact, Session

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("worker_threads")]

# --- what models call --------------------------------------------------------------------------------------------------

BAD_CALLS = {
    "{tool: read, raw: '{\"file_path\": '}": "not valid JSON",
    "{tool: read, raw: '[1]'}": "JSON object",
    f"{{tool: read, raw: '{'[' * 20_000}'}}": "not valid JSON",
    "{tool: read, raw: 'null'}": "JSON object",
    "{tool: read, args: {file: a}}": "file_path",
    "{tool: read, args: {file_path: 7}}": "file_path",
    "{tool: reed, args: {}}": "Did you mean read",
    "{tool: '', args: {}}": "no tool",
    "{tool: read, args: {file_path: image.png}}": "binary",
    "{tool: read, args: {file_path: ../../etc/passwd}}": "workspace",
    "{tool: glob, args: {pattern: ''}}": "pattern",
    "{tool: grep, args: {pattern: '(' }}": "(",
    '{tool: write, args: {file_path: "a\\0b", content: x}}': "",
    '{tool: bash, args: {command: "echo \\0"}}': "NUL",
    "{tool: bash, args: {command: 'exit 3'}}": "code 3",
    "{tool: bash, args: {command: 'kill -9 $$'}}": "signal 9",
}


@pytest.mark.parametrize(("call", "words"), BAD_CALLS.items(), ids=[call[:60] for call in BAD_CALLS])
async def test_a_bad_call_ends_in_an_error_the_model_reads(
    call: str, words: str, session: Session, project: Project, alice: User, scripted: Any
) -> None:  # fmt: skip
    await allow_everything(session)
    (project.root / "image.png").write_bytes(bytes(range(256)) * 20)
    scripted(f"- call: {call}\n- text: I see.\n")
    await say(session, alice)
    (finished,) = await of(e.ToolFinished, session)
    assert finished.error is not None
    assert words in finished.error
    assert (await of(e.AgentSpoke, session))[-1].parts == (e.Text(text="I see."),)
    await goes_on(session, alice, scripted)


async def test_output_without_end_takes_no_memory_to_speak_of(session: Session, alice: User, scripted: Any) -> None:
    await allow_everything(session)
    scripted("- call: {tool: bash, args: {command: 'head -c 50000000 /dev/zero | tr \"\\\\0\" x; echo end'}}\n- text: Much.\n")
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    await say(session, alice)
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    (finished,) = await of(e.ToolFinished, session)
    assert "left out" in finished.output
    assert len(finished.output) < 500_000
    assert grown < 40_000, f"{grown} KB"
    await goes_on(session, alice, scripted)


async def test_bytes_that_are_no_text_are_shown_as_such(session: Session, project: Project, alice: User, scripted: Any) -> None:
    await allow_everything(session)
    (project.root / "latin.txt").write_bytes(b"caf\xe9\n")
    project.root.joinpath("odd\udcff.txt").write_bytes(b"x")
    scripted(
        "- parts:\n"
        "  - call: {tool: bash, args: {command: \"printf 'a\\\\377b\\\\000c'; ls\"}}\n"
        "  - call: {tool: read, args: {file_path: latin.txt}}\n"
        "  - call: {tool: glob, args: {pattern: '*.txt'}}\n"
        "  - call: {tool: grep, args: {pattern: 'x'}}\n"
        "- text: Odd.\n"
    )  # fmt: skip
    await say(session, alice)
    assert await state(session) == "done"
    ran, read, listed, _ = await of(e.ToolFinished, session)
    assert "a\N{REPLACEMENT CHARACTER}b\N{REPLACEMENT CHARACTER}c" in ran.output
    assert "caf" in read.output
    assert "odd" in listed.output
    await goes_on(session, alice, scripted)


async def test_two_hundred_calls_of_one_reply_all_end(session: Session, project: Project, alice: User, scripted: Any) -> None:
    (project.root / "a.txt").write_text("hello\n")
    scripted("- parts:\n" + "  - call: {tool: read, args: {file_path: a.txt}}\n" * 200 + "- text: All read.\n")
    await say(session, alice)
    assert await state(session) == "done"
    assert len([fact for fact in await of(e.ToolFinished, session) if fact.error is None]) == 200
    await goes_on(session, alice, scripted)


async def test_a_nul_in_a_memory_is_kept_or_refused(session: Session, alice: User, scripted: Any) -> None:
    await allow_everything(session)
    scripted('- call: {tool: memory_write, args: {title: T, content: "a\\0b"}}\n- text: Hm.\n')
    await say(session, alice)
    assert await state(session) == "done"
    assert len(await of(e.ToolFinished, session)) == 1
    await goes_on(session, alice, scripted)


# --- calls that share an id --------------------------------------------------------------------------------------------

WRITES = "  - call: {{tool: write, args: {{file_path: {0}.txt, content: x}}, id: same}}\n"


async def test_calls_of_one_reply_that_share_an_id_are_decided_one_by_one(
    session: Session, project: Project, alice: User, scripted: Any
) -> None:  # fmt: skip
    scripted("- parts:\n" + WRITES.format("one") + WRITES.format("two") + "- text: Both.\n")
    await say(session, alice)
    first, second = await of(e.ApprovalAsked, session)
    assert len({first.approval_id, second.approval_id, first.call_id, second.call_id}) == 4
    await decide(session, alice, second, "deny")
    await decide(session, alice, first)
    assert await state(session) == "done"
    assert (project.root / "one.txt").exists()
    assert not (project.root / "two.txt").exists()
    await goes_on(session, alice, scripted)


async def test_an_approval_never_counts_for_a_later_call_of_the_same_id(
    session: Session, project: Project, alice: User, scripted: Any
) -> None:  # fmt: skip
    scripted(
        "-\n" + WRITES.format("one").replace("  - ", "  ", 1) + "-\n" + WRITES.format("two").replace("  - ", "  ", 1) + "- text: Both.\n"
    )
    await say(session, alice)
    (first,) = await of(e.ApprovalAsked, session)
    await decide(session, alice, first)
    assert await state(session) == "waiting"
    _, second = await of(e.ApprovalAsked, session)
    assert first.approval_id != second.approval_id
    assert not (project.root / "two.txt").exists()


# --- what people send, and what we ourselves get wrong -----------------------------------------------------------------


def test_a_message_of_five_megabytes_is_refused_with_its_limit(client: Any, session: Session, alice: User) -> None:
    client.force_login(alice)
    body = json.dumps({"text": "x" * 5_000_000})
    answer = client.post(f"/api/sessions/{session.public_id}/messages/", body, content_type="application/json")
    assert answer.status_code == 400
    assert "100000" in answer.json()["detail"]
    assert Session.objects.get(pk=session.pk).head == session.head


def test_a_nul_is_refused_and_words_about_one_are_not(do: Do, alice: User) -> None:
    with pytest.raises(Invalid, match="cannot be kept"):
        do(alice, protocol.SendMessage(message_id="message-1", text="a\0b"))
    with pytest.raises(Invalid, match="cannot be kept"):
        do(alice, protocol.WriteTodos(todos=(e.Todo(content="a\0b", status="pending"),)))
    assert do(alice, protocol.SendMessage(message_id="message-2", text=r"What does \u0000 mean?"))


async def test_a_rule_nobody_understands_lets_nothing_through(session: Session, alice: User, scripted: Any) -> None:
    """Nothing of ours writes such a rule; it stands for every fault of ours on the way of a call."""
    await Rule.objects.acreate(project_id=session.project_id, order=100, tool="bash", pattern="*", action="maybe")
    scripted("- call: {tool: bash, args: {command: touch a.txt}}\n- text: Hm.\n")
    await say(session, alice)
    assert await state(session) == "done"
    assert await of(e.ToolStarted, session) == []
    assert "failed unexpectedly" in str((await of(e.ToolFinished, session))[0].error)
    await goes_on(session, alice, scripted)


async def test_a_log_that_cannot_be_read_is_said_and_not_tried_for_ever(session: Session, alice: User, scripted: Any) -> None:
    await LoggedFact.objects.filter(session=session, seq=1).aupdate(type="moon.landed", data="{}")
    scripted("- text: Hello.\n")
    await say(session, alice)
    assert await state(session) == "failed"
    assert "moon.landed" in session.view.run.detail


async def test_an_old_log_is_shown_and_gone_on_with(
    session: Session, alice: User, scripted: Any, async_client: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(e.UPCASTS, ("user.spoke", 0), lambda data: {"message_id": data["message_id"], "text": data["words"]})
    scripted("- text: Hello.\n- when: {messages: 2}\n  parts: [{text: I remember.}]\n")
    await say(session, alice)
    old = json.dumps({"type": "user.spoke", "message_id": "message-go", "words": "Said long ago"})
    await LoggedFact.objects.filter(session=session, type="user.spoke").aupdate(version=0, data=old)
    workbench.forget(session.public_id)
    await say(session, alice, "go on")
    assert (await of(e.AgentSpoke, session))[-1].parts == (e.Text(text="I remember."),)
    await async_client.aforce_login(alice)
    answer = await async_client.get(f"/api/sessions/{session.public_id}/snapshot/")
    assert "Said long ago" in [entry["fact"].get("text") for entry in answer.json()["entries"]]
