from __future__ import annotations

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("workspace_sessions", "0003_spoken_fulltext"),
    ]

    operations = [
        migrations.AddIndex(
            model_name="session",
            index=models.Index(condition=models.Q(("parent__isnull", False), ("told", False)), fields=["status"], name="agents_to_tell_of"),
        ),
    ]
