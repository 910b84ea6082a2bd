import django.contrib.auth.models
import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models

import people.models
import people.validators


class Migration(migrations.Migration):
    replaces = [
        ("people", "0001_initial"),
        ("people", "0002_what_people_say_of_themselves"),
        ("people", "0003_guests"),
        ("people", "0004_language_as_the_browser"),
        ("people", "0005_absences"),
        ("people", "0006_hosts"),
        ("people", "0007_tokens"),
    ]

    initial = True

    dependencies = [
        ("auth", "0012_alter_user_first_name_max_length"),
    ]

    operations = [
        migrations.CreateModel(
            name="User",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("password", models.CharField(max_length=128, verbose_name="password")),
                ("last_login", models.DateTimeField(blank=True, null=True, verbose_name="last login")),
                (
                    "is_superuser",
                    models.BooleanField(
                        default=False,
                        help_text="Designates that this user has all permissions without explicitly assigning them.",
                        verbose_name="superuser status",
                    ),
                ),
                (
                    "is_staff",
                    models.BooleanField(
                        default=False,
                        help_text="Designates whether the user can log into this admin site.",
                        verbose_name="staff status",
                    ),
                ),
                (
                    "is_active",
                    models.BooleanField(
                        default=True,
                        help_text="Designates whether this user should be treated as active. Unselect this instead of deleting accounts.",
                        verbose_name="active",
                    ),
                ),
                ("date_joined", models.DateTimeField(default=django.utils.timezone.now, verbose_name="date joined")),
                (
                    "username",
                    people.models.Name(
                        error_messages={"unique": "This name is already taken."},
                        max_length=60,
                        unique=True,
                        validators=[people.validators.name],
                        verbose_name="name",
                    ),
                ),
                ("username_folded", people.models.Folded(editable=False, max_length=1000, of="username", unique=True)),
                ("email", models.EmailField(blank=True, max_length=254, verbose_name="e-mail")),
                ("email_folded", people.models.Folded(editable=False, max_length=1000, null=True, of="email", unique=True)),
                ("time_zone", models.CharField(default="UTC", max_length=64, validators=[people.validators.zone])),
                (
                    "language",
                    models.CharField(
                        blank=True,
                        choices=[("", "Same as the browser"), ("en", "English"), ("it", "Italiano")],
                        default="",
                        max_length=8,
                    ),
                ),
                (
                    "theme",
                    models.CharField(
                        choices=[("system", "Same as the device"), ("light", "Light"), ("dark", "Dark")],
                        default="system",
                        max_length=8,
                    ),
                ),
                (
                    "forum_name",
                    models.CharField(
                        blank=True, max_length=60, validators=[people.validators.one_line], verbose_name="name on the forum"
                    ),
                ),
                (
                    "fog2_name",
                    models.CharField(
                        blank=True, max_length=60, validators=[people.validators.one_line], verbose_name="name in Field of Glory II"
                    ),
                ),
                ("owns_mare_nostrum", models.BooleanField(default=False, verbose_name="owns Mare Nostrum")),
                ("demo", models.BooleanField(default=False, verbose_name="demonstration user")),
                ("guest", models.BooleanField(default=False, verbose_name="plays without an account")),
                (
                    "merged_into",
                    models.ForeignKey(
                        blank=True,
                        help_text="who has a guest's places now",
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="guests",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "seen_on",
                    models.DateField(default=people.models.today, help_text="the last day of a page, in UTC: `people.services`"),
                ),
                ("suspended_at", models.DateTimeField(blank=True, null=True)),
                ("suspended_for", models.TextField(blank=True, default="", help_text="why, as he reads it")),
                ("erased_at", models.DateTimeField(blank=True, null=True)),
                (
                    "groups",
                    models.ManyToManyField(
                        blank=True,
                        help_text="The groups this user belongs to. A user will get all permissions granted to each of their groups.",
                        related_name="user_set",
                        related_query_name="user",
                        to="auth.group",
                        verbose_name="groups",
                    ),
                ),
                (
                    "user_permissions",
                    models.ManyToManyField(
                        blank=True,
                        help_text="Specific permissions for this user.",
                        related_name="user_set",
                        related_query_name="user",
                        to="auth.permission",
                        verbose_name="user permissions",
                    ),
                ),
            ],
            options={
                "verbose_name": "user",
                "verbose_name_plural": "users",
                "abstract": False,
            },
            managers=[
                ("objects", django.contrib.auth.models.UserManager()),
            ],
        ),
        migrations.CreateModel(
            name="Absence",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="absences", to=settings.AUTH_USER_MODEL
                    ),
                ),
                ("first", models.DateField()),
                ("last", models.DateField()),
                ("time_zone", models.CharField(max_length=64)),
                ("begins_at", models.DateTimeField(help_text="when the first day begins there")),
                ("ends_at", models.DateTimeField(help_text="when the last day has ended there")),
                ("note", models.CharField(blank=True, default="", max_length=200)),
                ("masters_only", models.BooleanField(default=False, help_text="only game masters read the note")),
                ("everywhere", models.BooleanField(default=True)),
                ("announced_at", models.DateTimeField()),
                ("changed_at", models.DateTimeField()),
                ("taken_back_at", models.DateTimeField(blank=True, null=True)),
            ],
            options={
                "ordering": ["begins_at", "pk"],
                "indexes": [
                    models.Index(
                        condition=models.Q(("taken_back_at", None)), fields=["user", "ends_at"], name="absences_that_stand"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Token",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="tokens", to=settings.AUTH_USER_MODEL
                    ),
                ),
                ("name", models.CharField(blank=True, max_length=60)),
                ("scope", models.CharField(choices=[("read", "read"), ("play", "read and play")], max_length=4)),
                ("secret_hash", models.CharField(max_length=64, unique=True)),
                ("made_at", models.DateTimeField()),
                ("ends_at", models.DateTimeField(blank=True, null=True)),
                ("last_used_at", models.DateTimeField(blank=True, null=True)),
                ("revoked_at", models.DateTimeField(blank=True, null=True)),
            ],
            options={
                "ordering": ["-made_at", "-pk"],
                "indexes": [models.Index(condition=models.Q(("revoked_at", None)), fields=["user"], name="tokens_not_revoked")],
            },
        ),
        migrations.CreateModel(
            name="HostAct",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("what", models.CharField(max_length=12)),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="host_acts", to=settings.AUTH_USER_MODEL
                    ),
                ),
                ("reason", models.TextField(blank=True, default="")),
                ("at", models.DateTimeField()),
            ],
            options={
                "ordering": ["at", "pk"],
            },
        ),
    ]
