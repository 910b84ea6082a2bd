import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('campaign', '0015_vault_pulse_and_facts_of_entries'),
        ('forum', '0001_squashed_0004_evidence_of_arrival'),
    ]

    operations = [
        migrations.CreateModel(
            name='DraftsDue',
            fields=[
                ('entry', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, primary_key=True, related_name='+', serialize=False, to='campaign.logentry')),
            ],
            options={
                'verbose_name_plural': 'drafts due',
            },
        ),
    ]
