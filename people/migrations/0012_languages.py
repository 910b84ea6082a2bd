from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('people', '0011_ways_to_sign_in'),
    ]

    operations = [
        migrations.AlterField(
            model_name='user',
            name='language',
            field=models.CharField(blank=True, choices=[('', 'As the browser'), ('en', 'English'), ('de', 'Deutsch'), ('es', 'Español'), ('it', 'Italiano')], default='', max_length=8),
        ),
    ]
