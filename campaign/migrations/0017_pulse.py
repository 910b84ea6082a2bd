from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('campaign', '0016_imports_of_scenarios'),
    ]

    operations = [
        migrations.CreateModel(
            name='Pulse',
            fields=[
                ('part', models.CharField(help_text='as settings.TICKS names it', max_length=100, primary_key=True, serialize=False)),
                ('at', models.DateTimeField()),
                ('seconds', models.FloatField(help_text='how long it took')),
                ('failed', models.BooleanField(default=False)),
            ],
        ),
    ]
