"""Names that the code uses, references to sets of seats, JSON columns."""

import django.db.models.deletion
from django.db import migrations, models

import engine.strict_json


class Migration(migrations.Migration):
    dependencies = [("notices", "0006_squashed_0008_requested_mail")]

    operations = [
        migrations.RemoveConstraint(
            model_name="item",
            name="through_a_channel_once",
        ),
        migrations.RemoveConstraint(
            model_name="feed",
            name="one_feed_of_a_kind",
        ),
        migrations.RenameModel("Wish", "NoticePreference"),
        migrations.RenameModel("Item", "DeliveryItem"),
        migrations.RenameModel("Feed", "FeedAddress"),
        migrations.RenameField("NoticePreference", "how", "mode"),
        migrations.RenameField("DeliveryItem", "told", "notice_key"),
        migrations.RenameField("FeedAddress", "what", "kind"),
        migrations.AlterField(
            model_name="noticepreference",
            name="channel",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE,
                related_name="preferences",
                to="notices.channel",
            ),
        ),
        migrations.AddConstraint(
            model_name="deliveryitem",
            constraint=models.UniqueConstraint(
                fields=("channel", "notice_key"), name="through_a_channel_once"
            ),
        ),
        migrations.AddConstraint(
            model_name="feedaddress",
            constraint=models.UniqueConstraint(
                condition=models.Q(("revoked_at", None)),
                fields=("user", "kind"),
                name="one_feed_of_a_kind",
            ),
        ),
        migrations.AlterField(
            model_name="delivery",
            name="facts",
            field=models.JSONField(
                decoder=engine.strict_json.StoredDecoder,
                default=dict,
                encoder=engine.strict_json.StoredEncoder,
            ),
        ),
        migrations.AlterField(
            model_name="notice",
            name="facts",
            field=models.JSONField(
                decoder=engine.strict_json.StoredDecoder,
                default=dict,
                encoder=engine.strict_json.StoredEncoder,
            ),
        ),
    ]
