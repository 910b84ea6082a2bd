import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("talk", "0002_moderated")]

    operations = [
        migrations.RemoveConstraint(
            model_name="message",
            name="one_message_a_number",
        ),
        migrations.RemoveConstraint(
            model_name="mark",
            name="one_mark_a_place",
        ),
        migrations.RenameModel("Thread", "Conversation"),
        migrations.RenameModel("Mark", "ReadMarker"),
        migrations.RenameField("Message", "thread", "conversation"),
        migrations.RenameField("ReadMarker", "thread", "conversation"),
        migrations.AlterModelOptions(
            name="message",
            options={"ordering": ["conversation", "number"]},
        ),
        migrations.AlterField(
            model_name="conversation",
            name="campaign",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE,
                related_name="conversations",
                to="campaign.campaign",
            ),
        ),
        migrations.AlterField(
            model_name="readmarker",
            name="conversation",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE,
                related_name="read_markers",
                to="talk.conversation",
            ),
        ),
        migrations.AddConstraint(
            model_name="message",
            constraint=models.UniqueConstraint(
                fields=("conversation", "number"), name="one_message_a_number"
            ),
        ),
        migrations.AddConstraint(
            model_name="readmarker",
            constraint=models.UniqueConstraint(
                fields=("conversation", "membership"), name="one_mark_a_place"
            ),
        ),
    ]
