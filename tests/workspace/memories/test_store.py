from __future__ import annotations

from dataclasses import dataclass

import pytest
from asgiref.sync import sync_to_async

from agents.host import InMemoryMemories
from agents.ports import Memories
from workspace.accounts.models import Team, User
from workspace.errors import Unavailable
from workspace.memories.models import Memory
from workspace.memories.store import DatabaseMemories
from workspace.projects.models import Project

pytestmark = pytest.mark.django_db(transaction=True)


@dataclass
class Source:
    """The session that writes."""

    public_id: str = "s-1"
    head: int = 3
    shared: bool = False


@pytest.fixture
def store(project: Project, alice: User) -> DatabaseMemories:
    return DatabaseMemories(project, alice, Source())


@pytest.fixture(params=["database", "in memory"])
def either(request: pytest.FixtureRequest, store: DatabaseMemories) -> Memories:
    """Both keep the same contract."""
    return store if request.param == "database" else InMemoryMemories()


async def test_what_is_written_is_found(either: Memories) -> None:
    written = await either.write(title="Tests", content="run unittest", type="project", scope="project", tags=("python",))
    (found,) = await either.find("UNITTEST")
    assert (found.memory_id, found.title, found.content, found.tags) == (written.memory_id, "Tests", "run unittest", ("python",))


async def test_the_same_title_in_the_same_scope_keeps_its_id(either: Memories) -> None:
    first = await either.write(title="Tests", content="one", type="project", scope="project", tags=())
    second = await either.write(title="Tests", content="two", type="reference", scope="project", tags=("x",))
    other = await either.write(title="Tests", content="three", type="project", scope="team", tags=())
    assert (second.memory_id, second.created) == (first.memory_id, first.created)
    assert other.memory_id != first.memory_id
    assert {memory.content for memory in await either.find("")} == {"two", "three"}


async def test_the_most_matching_words_come_first_and_no_words_mean_all_newest_first(either: Memories) -> None:
    for title, content in (("a", "red green blue"), ("b", "red"), ("c", "red green"), ("d", "yellow")):
        await either.write(title=title, content=content, type="project", scope="project", tags=())
    assert [memory.title for memory in await either.find("blue red green")] == ["a", "c", "b"]
    assert [memory.title for memory in await either.find("")] == ["d", "c", "b", "a"]
    assert [memory.title for memory in await either.find("", limit=2)] == ["d", "c"]


async def test_words_are_found_in_any_form_and_titles_and_tags_weigh_more(either: Memories) -> None:
    written = [("a", "all about parsers", ()), ("The Parser", "x", ()), ("c", "y", ("parsing", "parser")), ("d", "z", ())]
    for title, content, tags in written:
        await either.write(title=title, content=content, type="project", scope="project", tags=tags)
    found = [memory.title for memory in await either.find("PARSER's, zebra")]
    assert found[-1] == "a"
    assert set(found[:-1]) == {"The Parser", "c"}


async def test_ids_that_begin_alike_are_all_told(either: Memories) -> None:
    for title in ("one", "Two"):
        await either.write(title=title, content="x", type="project", scope="project", tags=())
    assert len(await either.matching("")) == 2


async def test_memories_are_found_by_type(either: Memories) -> None:
    await either.write(title="a", content="x", type="feedback", scope="user", tags=())
    await either.write(title="b", content="x", type="project", scope="user", tags=())
    assert [memory.title for memory in await either.find("x", type="feedback")] == ["a"]


async def test_a_memory_is_deleted_once(either: Memories) -> None:
    memory = await either.write(title="a", content="x", type="project", scope="user", tags=())
    assert [found.memory_id for found in await either.matching(memory.memory_id[:8])] == [memory.memory_id]
    assert await either.delete(memory.memory_id) is True
    assert await either.delete(memory.memory_id) is False
    assert await either.matching("") == []


async def test_an_agent_sees_only_whom_it_acts_for(store: DatabaseMemories, project: Project, bob: User) -> None:
    await store.write(title="mine", content="x", type="user", scope="user", tags=())
    await store.write(title="ours", content="x", type="project", scope="project", tags=())
    for person in (bob, None):
        other = DatabaseMemories(project, person, Source())
        assert [memory.title for memory in await other.find("")] == ["ours"]
        assert {memory.title for memory in await other.matching("")} == {"ours"}


async def test_an_agent_sees_no_other_project_and_no_other_team(store: DatabaseMemories, team: Team, charlie: User) -> None:
    await store.write(title="ours", content="x", type="project", scope="project", tags=())
    shared = await store.write(title="shared", content="x", type="project", scope="team", tags=())
    sibling = await Project.objects.acreate(team=team, name="Other", slug="other")
    elsewhere = await Team.objects.aget(slug="elsewhere")
    foreign = await Project.objects.acreate(team=elsewhere, name="Far", slug="far")
    assert [memory.title for memory in await DatabaseMemories(sibling, None, Source()).find("")] == ["shared"]
    stranger = DatabaseMemories(foreign, charlie, Source())
    assert await stranger.find("") == []
    assert await stranger.delete(shared.memory_id) is False


async def test_being_read_by_an_agent_is_counted(store: DatabaseMemories) -> None:
    memory = await store.write(title="a", content="x", type="project", scope="project", tags=())
    await store.find("x")
    await store.find("nothing")
    row = await Memory.objects.aget(public_id=memory.memory_id)
    assert row.used_count == 1
    assert row.last_used is not None
    assert row.updated == memory.updated


async def test_a_memory_knows_its_session(store: DatabaseMemories, alice: User) -> None:
    await store.write(title="a", content="x", type="project", scope="project", tags=())
    row = await Memory.objects.select_related("created_by").aget()
    assert (row.source_session, row.source_seq, row.created_by) == ("s-1", 3, alice)


async def test_a_long_title_is_cut_rather_than_refused(store: DatabaseMemories) -> None:
    assert len((await store.write(title="x" * 500, content="x", type="project", scope="project", tags=())).title) == 200


async def test_a_run_for_nobody_writes_nothing_personal(project: Project) -> None:
    with pytest.raises(Unavailable, match="nobody"):
        await DatabaseMemories(project, None, Source()).write(title="a", content="x", type="user", scope="user", tags=())
    assert await sync_to_async(Memory.objects.count)() == 0


async def test_once_others_speak_nothing_of_a_persons_own_is_told_or_kept(project: Project, alice: User) -> None:
    source = Source()
    store = DatabaseMemories(project, alice, source)
    mine = await store.write(title="mine", content="secret", type="user", scope="user", tags=())
    await store.write(title="ours", content="open", type="project", scope="project", tags=())
    source.shared = True
    assert [memory.title for memory in await store.find("")] == ["ours"]
    assert await store.matching(mine.memory_id) == []
    assert not await store.delete(mine.memory_id)
    with pytest.raises(Unavailable, match="Several people"):
        await store.write(title="mine", content="more", type="user", scope="user", tags=())
    assert (await Memory.objects.aget(title="mine")).content == "secret"
