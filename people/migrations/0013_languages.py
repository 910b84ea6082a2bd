from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('people', '0012_moderation'),
    ]

    operations = [
        migrations.AlterField(
            model_name='user',
            name='language',
            field=models.CharField(blank=True, choices=[('', 'As the browser'), ('en', 'English'), ('de', 'Deutsch'), ('es', 'Español'), ('it', 'Italiano')], default='', max_length=8),
        ),
    ]
