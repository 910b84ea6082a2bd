import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("forum", "0007_boards_as_they_are")]

    operations = [
        migrations.RenameModel("Flavour", "ReportComment"),
        migrations.RenameModel("Following", "FollowedThread"),
        migrations.RenameModel("HeardPost", "ImportedPost"),
        migrations.RenameModel("DraftsDue", "PendingDrafts"),
        migrations.RenameField("ImportedPost", "heard_at", "imported_at"),
        migrations.RenameField("ImportedPost", "said_at", "posted_at"),
        migrations.RenameField("FollowedThread", "known", "last_post_name"),
        migrations.RenameField("Post", "of", "part_count"),
        migrations.AlterField(
            model_name="importedpost",
            name="thread",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT,
                related_name="imported_posts",
                to="forum.thread",
            ),
        ),
        migrations.AlterField(
            model_name="reportcomment",
            name="campaign",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT,
                related_name="report_comments",
                to="campaign.campaign",
            ),
        ),
    ]
