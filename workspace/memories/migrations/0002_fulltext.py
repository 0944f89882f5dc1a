from __future__ import annotations

from django.db import migrations, models

from workspace.fulltext.index import Index, installed


class Migration(migrations.Migration):
    dependencies = [("memories", "0001_initial")]

    operations = [
        migrations.AlterField("memory", "search_text", models.TextField(default="", editable=False)),  # so that the way back is open
        migrations.RemoveField("memory", "search_text"),
        installed(Index("memories_memory", {"title": 8.0, "tags": 6.0, "content": 1.0}, lists=["tags"])),
    ]
