from __future__ import annotations

from django.db import migrations

from workspace.fulltext.index import Index, installed


class Migration(migrations.Migration):
    dependencies = [("workspace_sessions", "0002_session_parent_session_root_session_started_by_call_and_more")]

    operations = [
        installed(Index("workspace_sessions_spoken", {"text": 1.0})),
        migrations.RunSQL(
            "INSERT INTO workspace_sessions_spoken (session_id, seq, text) SELECT id, 0, title FROM workspace_sessions_session",
            "DELETE FROM workspace_sessions_spoken WHERE seq = 0",
        ),
    ]
