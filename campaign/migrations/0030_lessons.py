from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('campaign', '0029_withheld_texts'),
    ]

    operations = [
        migrations.AddField(
            model_name='campaign',
            name='lesson',
            field=models.CharField(blank=True, default='', help_text='a guided first game: guided, left; empty: an ordinary campaign', max_length=6),
        ),
    ]
