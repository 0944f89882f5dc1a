from __future__ import annotations

from django.db import migrations

from workspace.fulltext.index import Index, installed


class Migration(migrations.Migration):
    dependencies = [("memories", "0001_initial")]

    operations = [
        migrations.RemoveField(model_name="memory", name="search_text"),
        installed(Index("memories_memory", {"title": 8.0, "tags": 6.0, "content": 1.0}, lists=["tags"])),
    ]
