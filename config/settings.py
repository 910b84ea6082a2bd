"""Settings. Values of a deployment come from the environment.

The defaults are for a single process with SQLite.
"""

import os
import re
from contextlib import suppress
from datetime import timedelta
from email.utils import getaddresses
from ipaddress import ip_network
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

import environ
from django.core.exceptions import ImproperlyConfigured

from config import keys, logs, storage, version
from engine.language import use_catalogues

BASE_DIR = Path(__file__).resolve().parent.parent
env = environ.Env()

# The data of this installation: database, keys, collected static files, Celery's messages.
VAR = Path(env.str("TABULA_VAR", str(BASE_DIR / "var"))).resolve()
# Only the owner can read it. A folder that cannot be written stops no process here; code that needs
# it reports the error.
keys.close(VAR)
FILE_UPLOAD_PERMISSIONS, FILE_UPLOAD_DIRECTORY_PERMISSIONS = 0o600, 0o700

DEBUG = env.bool("TABULA_DEBUG", False)
LOCAL_HOSTS = {"localhost", "127.0.0.1", "[::1]"}
ALLOWED_HOSTS = env.list("ALLOWED_HOSTS", default=sorted(LOCAL_HOSTS))

# Visitors can become a demonstration user with a click. script/serve sets it together with
# 127.0.0.1.
TABULA_DEMO = env.bool("TABULA_DEMO", False)
if TABULA_DEMO and not set(ALLOWED_HOSTS) <= LOCAL_HOSTS:
    raise ImproperlyConfigured(
        "TABULA_DEMO=1 lets anyone sign in as a demonstration user, so it works on this"
        f" machine only. Remove it, or set ALLOWED_HOSTS to {', '.join(sorted(LOCAL_HOSTS))}."
    )

SECRET_KEY = env.str("SECRET_KEY", "") or keys.read(VAR, "secret")
VAULT_KEY = env.str("VAULT_KEY", "") or keys.read(VAR, "vault")
# The site's identity at push services: a key of its own, or one derived from the vault key
# (`notices.channels.push`).
PUSH_KEY = env.str("PUSH_KEY", "") or keys.read(VAR, "push")
if not SECRET_KEY or not VAULT_KEY:
    raise ImproperlyConfigured(
        "There are no keys. Run `python -m config.keys` once, or set SECRET_KEY and VAULT_KEY."
    )

INSTALLED_APPS = [
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "allauth.socialaccount",
    "axes",
    "django_htmx",
    "rest_framework",
    "drf_spectacular",
    "config.apps.People",
    "config.apps.Campaign",
    "config.apps.Nations",
    "config.apps.Battles",
    "config.apps.Forum",
    "config.apps.Notices",
    "config.apps.Talk",
    "config.apps.Moderation",
    "config.apps.Web",
    "config.apps.Api",
    "config.apps.Hooks",
]
# The parts of a pulse, each minute: kinds of work, and how many items are done before the remaining
# time is checked (`campaign.pulse`). Each kind has a queue of the same name. `config.hooks` has
# their functions.
TICKS = {
    "clocks": 25,
    "mail": 25,
    "letters": 25,
    "webhooks": 1,
    "drafts": 5,
    "posts": 1,
    "reading": 1,
    "packs": 1000,
    "imports": 1,
    "draws": 5,
    "practice": 2,
    "forecasts": 1,
    "onward": 2,
    "accounts": 10,
    "audit": 5,
}
# Groups of queues with their own worker processes (`config.worker`), and the number of these: a
# task that hangs stops no other group. Each kind of work is in one group; pages use the queue
# `celery` (pictures, packs).
GROUPS: dict[str, tuple[int, tuple[str, ...]]] = {
    "clocks": (1, ("clocks", "accounts")),
    "mail": (2, ("mail", "letters")),
    "outside": (2, ("webhooks", "posts", "reading", "draws")),
    "tables": (
        env.int("TABULA_WORKER_PROCESSES", os.cpu_count() or 1),
        ("celery", "drafts", "packs", "practice", "onward"),
    ),
    "heavy": (1, ("imports", "forecasts", "audit")),
}
# Seconds for processing a record or scenario that a user brings.
IMPORT_SECONDS = env.int("TABULA_IMPORT_SECONDS", 300)

MIDDLEWARE = [
    "config.middleware.monitoring_endpoints",
    "config.middleware.security_headers",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "config.middleware.api_responses",
    "config.middleware.Sessions",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "config.middleware.guest_users",
    "config.middleware.log_attacks",
    "config.middleware.reader_mark",
    "config.middleware.record_visits",
    "config.middleware.user_language",
    "config.middleware.request_size_limit",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "config.middleware.user_time_zone",
    "config.middleware.suspended_accounts",
    "config.middleware.terms_agreement",
    "config.middleware.ErrorPages",
    "axes.middleware.AxesMiddleware",
]
ROOT_URLCONF = "config.urls"
WSGI_APPLICATION = "config.wsgi.application"
CSRF_FAILURE_VIEW = "web.frame.errors.csrf"
CONTEXT_PROCESSORS = [
    "django.contrib.auth.context_processors.auth",
    "django.contrib.messages.context_processors.messages",
    "web.frame.requests.site",
    "web.frame.requests.bell",
    "web.frame.conditional.token",
]
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.jinja2.Jinja2",
        "DIRS": [BASE_DIR / "templates"],
        "OPTIONS": {
            "environment": "config.jinja.environment",
            "context_processors": CONTEXT_PROCESSORS,
        },
    },
    # Pages and e-mails that django-allauth loads by name, and the templates of Django's own
    # applications.
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "people" / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                *CONTEXT_PROCESSORS,
            ],
            "builtins": ["web.templatetags.tabula", "django.templatetags.i18n"],
        },
    },
]

# Seconds for which a process of the site waits for a lock, for a query, for a connection. 0 means
# no limit. Commands of `manage.py` set the first two to 0 (docs/host/operate.md, "A busy database")
LOCK_SECONDS = env.int("TABULA_LOCK_SECONDS", 5)
STATEMENT_SECONDS = env.int("TABULA_STATEMENT_SECONDS", 30)
CONNECT_SECONDS = env.int("TABULA_CONNECT_SECONDS", 5)
# The number of requests of a process that wait for the same campaign. All others get 503 at once.
WAITING = env.int("TABULA_WAITING", 4)
DATABASES = {"default": env.db("DATABASE_URL", f"sqlite:///{VAR / 'tabula.sqlite3'}")}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
if DATABASES["default"]["ENGINE"].endswith("sqlite3"):
    # IMMEDIATE: a transaction takes the write lock when it begins, so that two moves queue instead
    # of failing.
    patience = LOCK_SECONDS or 60  # a command waits longer, but not for ever
    DATABASES["default"]["OPTIONS"] = {
        "transaction_mode": "IMMEDIATE",
        "timeout": patience,
        "init_command": (
            "PRAGMA journal_mode=WAL;PRAGMA synchronous=NORMAL;PRAGMA"
            f" busy_timeout={patience * 1000};"
        ),
    }
    # A file, as in operation: a database in memory has no write lock to test.
    DATABASES["default"]["TEST"] = {"NAME": str(VAR / "test.sqlite3")}
else:
    DATABASES["default"].setdefault("CONN_MAX_AGE", 60)
    DATABASES["default"]["CONN_HEALTH_CHECKS"] = True
    # DATABASE_URL takes precedence. Keepalives notice a server that has disappeared.
    limits = {"lock_timeout": LOCK_SECONDS, "statement_timeout": STATEMENT_SECONDS}
    chosen = DATABASES["default"].get("OPTIONS", {})
    options = [
        *(f"-c {name}={seconds}s" for name, seconds in limits.items() if seconds),
        chosen.get("options", ""),
    ]
    DATABASES["default"]["OPTIONS"] = {
        **({"connect_timeout": CONNECT_SECONDS} if CONNECT_SECONDS else {}),
        "keepalives_idle": 30,
        "keepalives_interval": 10,
        "keepalives_count": 3,
        **chosen,
        **({"options": " ".join(filter(None, options))} if any(options) else {}),
    }

REDIS_URL = env.str("REDIS_URL", "")
if REDIS_URL:
    CACHES: dict[str, dict[str, object]] = {
        "default": {"BACKEND": "people.address_proof.Redis", "LOCATION": REDIS_URL}
    }
    CELERY_BROKER_URL = REDIS_URL
    # A page that queues work does not wait for a broker that is away.
    CELERY_BROKER_TRANSPORT_OPTIONS: dict[str, object] = {
        "max_retries": 1,
        "interval_start": 0,
        "interval_step": 0,
        "interval_max": 0,
        "socket_connect_timeout": 2,
    }
else:
    # A table that all processes share (docs/decisions/0006); tests use the memory of their single
    # process.
    CACHES = {"default": env.cache_url("CACHE_URL", "dbcache://tabula_cache")}
    # Without a server, processes share a folder.
    CELERY_BROKER_URL = "filesystem://"
    # A page waits for its work: the worker checks the folder five times a second.
    CELERY_BROKER_TRANSPORT_OPTIONS = {"polling_interval": 0.2}
    # `config.serve` has its own folder, which it removes at its end: everything that is due is a
    # row.
    broker = Path(env.str("TABULA_BROKER_FOLDER", str(VAR / "broker")))
    folders = ("data_folder_in", "data_folder_out", "control_folder")
    CELERY_BROKER_TRANSPORT_OPTIONS |= dict.fromkeys(folders, str(broker))
    with suppress(OSError):
        broker.mkdir(mode=0o700, parents=True, exist_ok=True)
# Rendered pages that anonymous readers share, in the memory of each process (docs/decisions/0048):
# they displace no counter of attempts in the shared cache.
CACHES["pages"] = {
    "BACKEND": "django.core.cache.backends.locmem.LocMemCache",
    "LOCATION": "pages",
    "OPTIONS": {"MAX_ENTRIES": 200},
}
# Whether open pages learn of moves from `config.live`. Without it they poll (docs/decisions/0051).
LIVE = env.bool("TABULA_LIVE", False)
if LIVE and not REDIS_URL:
    raise ImproperlyConfigured(
        "TABULA_LIVE needs REDIS_URL: open pages receive moves through Redis or Valkey."
    )
CELERY_TIMEZONE = TIME_ZONE = "UTC"  # both: Celery's own clock follows the second
CELERY_TASK_IGNORE_RESULT = True
CELERY_WORKER_HIJACK_ROOT_LOGGER = False  # its lines pass through LOGGING, which masks secrets
# Seconds between two pulses (`campaign.pulse`). Deadlines are kept to the minute, whatever its
# value.
PULSE = env.float("TABULA_PULSE", 60.0)
# The most tasks of a kind of work at the same time, if there are enough workers and much is due.
PARALLEL = env.int("TABULA_PARALLEL", 8)
# Seconds for a task. Then it is interrupted; a task that goes on is ended with its process, and a
# log line says so. `TASK_SECONDS_OF` names kinds and tasks that have another limit.
TASK_SECONDS = env.int("TABULA_TASK_SECONDS", 300)
GRACE = env.int("TABULA_TASK_GRACE", 30)
"""Seconds from the interruption to the end of the process."""
TASK_SECONDS_OF = {
    "imports": IMPORT_SECONDS + 60,
    "take-over-record": IMPORT_SECONDS + 60,
    "mail": 120,
}
CELERY_TASK_SOFT_TIME_LIMIT, CELERY_TASK_TIME_LIMIT = TASK_SECONDS, TASK_SECONDS + GRACE
CELERY_TASK_ANNOTATIONS = {
    name: {"soft_time_limit": seconds, "time_limit": seconds + GRACE}
    for name, seconds in TASK_SECONDS_OF.items()
}
# Long tasks use other queues than the tasks for which a page waits.
CELERY_TASK_ROUTES = {
    "take-over-record": {"queue": "imports"},
    "play-test": {"queue": "forecasts"},
    "forecast": {"queue": "forecasts"},
    "make-own-data": {"queue": "packs"},
    "play-on": {"queue": "practice"},
    "finish-turn": {"queue": "onward"},
}
# How much lower the priority of the worker is than that of the site on the same machine.
WORKER_NICE = env.int("TABULA_WORKER_NICE", 10)
CELERY_WORKER_PREFETCH_MULTIPLIER = 1  # no process reserves work that another could do now
# Beat stores when it last sent a pulse. If it cannot write the file, it sends one as soon as it
# starts.
CELERY_BEAT_SCHEDULE_FILENAME = str(VAR / "beat")
if not os.access(VAR, os.W_OK):
    CELERY_BEAT_SCHEDULER = "celery.beat:Scheduler"
USE_TZ = True
USE_I18N = True
LANGUAGE_CODE = "en"
# The name of each language in that language.
LANGUAGES = [("en", "English"), ("de", "Deutsch"), ("es", "Español"), ("it", "Italiano")]
LOCALE_PATHS = [VAR / "locale"]  # compiled: config.catalogues
use_catalogues(LOCALE_PATHS[0])
LANGUAGE_COOKIE_AGE = 365 * 24 * 60 * 60
LANGUAGE_COOKIE_SAMESITE = "Lax"
LANGUAGE_COOKIE_HTTPONLY = True

STATIC_URL = "/static/"
STATIC_ROOT = VAR / "static"
with suppress(OSError):
    STATIC_ROOT.mkdir(exist_ok=True)
STATICFILES_DIRS = [BASE_DIR / "static"]
# Hashed names need `collectstatic`; during development and tests the files are served unchanged.
HASHED_STATIC = env.bool("TABULA_HASHED_STATIC", not DEBUG)
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    # Pictures and packs, which every machine of an installation serves: a folder, or
    # s3://bucket/folder?endpoint=…&region=…
    "made": storage.make_storage(env.str("TABULA_STORAGE", ""), VAR),
    "staticfiles": {
        "BACKEND": (
            "web.frame.static_files.SmallStaticFiles"
            if HASHED_STATIC
            else "django.contrib.staticfiles.storage.StaticFilesStorage"
        )
    },
}

# Users
AUTH_USER_MODEL = "people.User"
# Axes refuses a request before its password is checked.
AUTHENTICATION_BACKENDS = [
    "axes.backends.AxesStandaloneBackend",
    "allauth.account.auth_backends.AuthenticationBackend",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}", "OPTIONS": options}
    for name, options in (
        ("UserAttributeSimilarityValidator", {}),
        ("MinimumLengthValidator", {"min_length": 12}),
        ("CommonPasswordValidator", {}),
        ("NumericPasswordValidator", {}),
    )
]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "front"
ACCOUNT_PASSWORD_RESET_TOKEN_GENERATOR = "people.password_links.ResetLinks"
ACCOUNT_ADAPTER = "web.frame.adapter.Adapter"
ACCOUNT_LOGIN_METHODS = {"username", "email"}
ACCOUNT_SIGNUP_FIELDS = ["username*", "email*", "password1*", "password2*"]
ACCOUNT_FORMS = {
    "signup": "people.forms.SignUp",
    "login": "people.forms.SignIn",
    "request_login_code": "people.forms.AskForCode",
    "reset_password": "people.forms.ForgottenPassword",
    "reset_password_from_key": "people.forms.NewPassword",
    "change_password": "people.forms.ChangePasswordByOldForm",
    "set_password": "people.forms.FirstPassword",
    "add_email": "people.forms.ChangeAddressForm",
}
# A link is sent at sign-up, but is not required: seats are taken by invitation. A second factor
# requires it.
ACCOUNT_EMAIL_VERIFICATION = "optional"
ACCOUNT_CHANGE_EMAIL = True
ACCOUNT_EMAIL_NOTIFICATIONS = True
ACCOUNT_LOGIN_BY_CODE_ENABLED = True
ACCOUNT_LOGIN_BY_CODE_TIMEOUT = 15 * 60
ACCOUNT_LOGIN_BY_CODE_SUPPORTS_RESEND = True
ACCOUNT_EMAIL_CONFIRMATION_AUTHENTICATED_REDIRECT_URL = "/me/"
ACCOUNT_EMAIL_UNKNOWN_ACCOUNTS = False
ACCOUNT_EMAIL_SUBJECT_PREFIX = ""
ACCOUNT_LOGOUT_REDIRECT_URL = "front"
ACCOUNT_SESSION_REMEMBER = None
ACCOUNT_USERNAME_VALIDATORS = "people.validators.username_validators"
ACCOUNT_USERNAME_MIN_LENGTH = 1
MFA_ADAPTER = "people.sign_in_ways.SecondFactor"
MFA_TOTP_ISSUER = "Tabula"
MFA_TOTP_TOLERANCE = 1  # a telephone's clock may be half a minute off
MFA_SUPPORTED_TYPES = ["totp", "recovery_codes", "webauthn"]
MFA_PASSKEY_LOGIN_ENABLED = True
MFA_WEBAUTHN_USER_VERIFICATION = "required"
MFA_FORMS = {"authenticate_webauthn": "people.forms.CodeOnlyForm"}
MFA_RATE_LIMITS = {"webauthn_login": ""}  # `web.frame.throttle` counts them
SOCIALACCOUNT_ADAPTER = "web.provider.Elsewhere"
SOCIALACCOUNT_FORMS = {"signup": "people.forms.SignUpElsewhere"}
SOCIALACCOUNT_AUTO_SIGNUP = False  # every user chooses the public name
SOCIALACCOUNT_REAUTHENTICATION_REQUIRED = True
SOCIALACCOUNT_STORE_TOKENS = False

# How people can create an account: open, invited, closed (`people.services`).
SIGN_UP = env.str("TABULA_SIGN_UP", "open")
if SIGN_UP not in ("open", "invited", "closed"):
    raise ImproperlyConfigured(
        f"TABULA_SIGN_UP is {SIGN_UP!r}; it must be open, invited or closed."
    )
# The host's own terms and privacy page, as Markdown files (`web.help.legal`), and the contact
# address.
TERMS_FILE = env.str("TABULA_TERMS", "")
PRIVACY_FILE = env.str("TABULA_PRIVACY", "")
for file in (TERMS_FILE, PRIVACY_FILE):
    if file and not Path(file).is_file():
        raise ImproperlyConfigured(
            f"The file {file}, which TABULA_TERMS or TABULA_PRIVACY names, does not exist."
        )
TERMS_VERSION = env.str("TABULA_TERMS_VERSION", "1")[:40]
# Whether users must agree again if the version differs from the one they agreed to.
TERMS_ASK_AGAIN = env.bool("TABULA_TERMS_ASK_AGAIN", False)
CONTACT = env.str("TABULA_CONTACT", "")

# Limits. web/frame/throttle.py counts forms that send mail; allauth counts the following ones.
ACCOUNT_RATE_LIMITS = {
    "signup": "30/m/ip",
    # codes of the second factor; web/frame/throttle.py counts passwords
    "login_failed": "30/5m/ip,10/5m/key",
    "request_login_code": "",
    "confirm_email": "",
}
AXES_HANDLER = "axes.handlers.cache.AxesCacheHandler"
AXES_LOCKOUT_PARAMETERS = [["username", "ip_address"]]
AXES_FAILURE_LIMIT = 5
AXES_COOLOFF_TIME = timedelta(minutes=5)
AXES_RESET_COOL_OFF_ON_FAILURE_DURING_LOCKOUT = False
AXES_RESET_ON_SUCCESS = True
AXES_ENABLE_ADMIN = False
AXES_VERBOSE = False
AXES_USERNAME_CALLABLE = "web.frame.throttle.sign_in_name"
AXES_CLIENT_IP_CALLABLE = "people.address_proof.address"
AXES_LOCKOUT_CALLABLE = "web.frame.throttle.locked_out"

EMAIL_TIMEOUT = 20  # seconds; without it a silent mail server would stop the tick for ever
vars().update(env.email("EMAIL_URL", "consolemail://"))
DEFAULT_FROM_EMAIL = SERVER_EMAIL = env.str("DEFAULT_FROM_EMAIL", "Tabula <tabula@localhost>")
# The site's own address, for e-mails and posts.
SITE_URL = env.str(
    "SITE_URL",
    (
        "http://127.0.0.1:8000"
        if ALLOWED_HOSTS[0] in LOCAL_HOSTS
        else f"https://{ALLOWED_HOSTS[0].lstrip('.')}"
    ),
)

# Passkeys belong to a host name, not to an IP address: on this machine it is localhost. Without a
# name there are none.
try:
    _site = urlsplit(SITE_URL)
    _host = "localhost" if _site.hostname in LOCAL_HOSTS | {"::1"} else _site.hostname or ""
    _port = f":{_site.port}" if _site.port else ""
except ValueError as error:
    raise ImproperlyConfigured(
        f"SITE_URL: {error}. Set it to the address of the site, such as https://tabula.example.org."
    ) from None
PASSKEY_HOST = env.str(
    "TABULA_PASSKEY_HOST", _host if re.fullmatch(r"[a-z0-9.-]*[a-z][a-z0-9.-]*", _host) else ""
).lower()
PASSKEY_ORIGINS = [
    origin.rstrip("/")
    for origin in env.list(
        "TABULA_PASSKEY_ORIGINS", default=[urlunsplit((_site.scheme, _host + _port, "", "", ""))]
    )
]

# Accounts elsewhere that can sign in here, if the host has set their keys (`web.provider`).
DISCORD_SITE, STEAM_SITE, STEAM_API = (
    "https://discord.com",
    "https://steamcommunity.com",
    "https://api.steampowered.com",
)
DISCORD_CLIENT_ID = env.str("TABULA_DISCORD_ID", env.str("DISCORD_APPLICATION_ID", ""))
DISCORD_CLIENT_SECRET = env.str("TABULA_DISCORD_SECRET", "")
STEAM_KEY = env.str("TABULA_STEAM_KEY", "")
SOCIALACCOUNT_PROVIDERS: dict[str, dict[str, object]] = {}
if DISCORD_CLIENT_ID and DISCORD_CLIENT_SECRET:
    SOCIALACCOUNT_PROVIDERS["discord"] = {
        "APPS": [{"client_id": DISCORD_CLIENT_ID, "secret": DISCORD_CLIENT_SECRET}],
        "OAUTH_PKCE_ENABLED": True,
    }
if STEAM_KEY:
    SOCIALACCOUNT_PROVIDERS["steam"] = {"APPS": [{"client_id": "steam", "secret": STEAM_KEY}]}

# An application at Discord for playing there (docs/host/discord.md); it is off without its key.
DISCORD_PUBLIC_KEY = env.str("DISCORD_PUBLIC_KEY", "")
DISCORD_APPLICATION_ID = env.str("DISCORD_APPLICATION_ID", "")
DISCORD_BOT_TOKEN = env.str("DISCORD_BOT_TOKEN", "")
EMAIL_SUBJECT_PREFIX = "[Tabula] "  # of e-mails to ADMINS
ADMINS = getaddresses([env.str("ADMINS", "")]) if env.str("ADMINS", "") else []

# The API (docs/decisions/0022).
REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": ["api.authentication.Bearer"],
    "DEFAULT_PERMISSION_CLASSES": ["api.authentication.Scope"],
    "DEFAULT_THROTTLE_CLASSES": [
        f"api.authentication.{name}" for name in ("ByAddress", "ByPerson", "Writes")
    ],
    "DEFAULT_PARSER_CLASSES": ["api.json.Parser"],
    "DEFAULT_RENDERER_CLASSES": ["api.json.Renderer"],
    "DEFAULT_CONTENT_NEGOTIATION_CLASS": "api.json.JsonOnly",
    "DEFAULT_SCHEMA_CLASS": "api.operation.Operation",
    "EXCEPTION_HANDLER": "api.problems.handler",
    "URL_FORMAT_OVERRIDE": None,
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Tabula",
    "DESCRIPTION": (
        "Campaigns that last for months, kept at one table: what the pages show, and every move."
    ),
    "VERSION": "1",
    "SCHEMA_PATH_PREFIX": "/api/v1",
    "POSTPROCESSING_HOOKS": ["api.docs.complete"],
    "ENUM_GENERATE_CHOICE_DESCRIPTION": False,
}

# Security. A demonstration runs without TLS on this machine; everything else should have it.
SECURE = env.bool("TABULA_TLS", not DEBUG and not TABULA_DEMO)
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = LANGUAGE_COOKIE_SECURE = SECURE
# A browser accepts a cookie of this prefix only from this host over HTTPS: no other host of the
# domain can replace it.
_PREFIX = "__Host-" if SECURE else ""
SESSION_COOKIE_NAME, CSRF_COOKIE_NAME = f"{_PREFIX}sessionid", f"{_PREFIX}csrftoken"
LANGUAGE_COOKIE_NAME, DEVICE_COOKIE_NAME = f"{_PREFIX}django_language", f"{_PREFIX}device"
MESSAGES_COOKIE_NAME = f"{_PREFIX}messages"
MESSAGE_STORAGE = "web.frame.messages.Messages"
SECURE_SSL_REDIRECT = SECURE
# A browser that has seen this header uses only TLS for this time, whatever happens to the
# certificate. So it begins with a day and does not include subdomains, unless the host says so.
SECURE_HSTS_SECONDS = env.int("HSTS_SECONDS", 24 * 60 * 60) if SECURE else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = SECURE and env.bool("HSTS_SUBDOMAINS", False)
SECURE_HSTS_PRELOAD = SECURE and env.bool("HSTS_PRELOAD", False)
if SECURE_HSTS_PRELOAD and not (SECURE_HSTS_INCLUDE_SUBDOMAINS and SECURE_HSTS_SECONDS >= 31536000):
    raise ImproperlyConfigured(
        "HSTS_PRELOAD=1 needs HSTS_SUBDOMAINS=1 and HSTS_SECONDS=31536000 or more. Set both, or"
        " unset HSTS_PRELOAD."
    )
# `check --deploy` wants both, but the host decides about them.
SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W021"]
SESSION_COOKIE_HTTPONLY = True
SESSION_ENGINE = "people.sessions"
SESSION_COOKIE_AGE = 30 * 24 * 60 * 60  # since the last use: `people.sessions`
SESSION_COOKIE_SAMESITE = CSRF_COOKIE_SAMESITE = "Lax"
SECURE_REFERRER_POLICY = "same-origin"
# Allows tests to request http://127.0.0.1; no deployment needs it.
OUTSIDE_INSECURE = env.bool("TABULA_OUTSIDE_INSECURE", False)
# Hosts that may be requested although they are not public, with http if an entry says so:
# `outgoing.client`.
OUTSIDE_ALLOWED_HOSTS = env.list("OUTSIDE_ALLOWED_HOSTS", default=[])

X_FRAME_OPTIONS = "DENY"
CSRF_TRUSTED_ORIGINS = env.list("CSRF_TRUSTED_ORIGINS", default=[])
TRUSTED_PROXIES = env.int("TRUSTED_PROXIES", 0)
# Set by a host whose firewall or container network lets only the proxy reach the port
# (`config.web`).
TRUSTED_PROXIES_GUARDED = env.bool("TRUSTED_PROXIES_GUARDED", False)
ALLAUTH_TRUSTED_PROXY_COUNT = TRUSTED_PROXIES
if TRUSTED_PROXIES:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
# Style attributes have the colours and positions of the design (--at, --fill); scripts are never
# inline.
CONTENT_SECURITY_POLICY = (
    "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; object-src 'none';"
    " base-uri 'self'; form-action 'self'; frame-ancestors 'none'"
)

# Figures and logs for the host (`config.monitoring`, `config.logs`).
VERSION = version()
# Addresses and networks that may read /metrics; if empty, no one may.
try:
    METRICS_ALLOWED = [
        ip_network(network, strict=False) for network in env.list("METRICS_ALLOWED", default=[])
    ]
except ValueError as error:
    raise ImproperlyConfigured(
        f"METRICS_ALLOWED: {error}. List addresses or networks, separated by commas:"
        " 127.0.0.1,10.0.0.0/8."
    ) from None
# Contacts for reports of vulnerabilities, for /.well-known/security.txt: e-mail or https addresses,
# separated by commas.
SECURITY_CONTACT = [
    contact if ":" in contact else f"mailto:{contact}"
    for contact in env.list("SECURITY_CONTACT", default=[])
]
LOG_FORMAT = env.str("LOG_FORMAT", "line")
if LOG_FORMAT not in ("line", "json"):
    raise ImproperlyConfigured(f"LOG_FORMAT is {LOG_FORMAT!r}; it must be line or json.")
if SENTRY_DSN := env.str("SENTRY_DSN", ""):
    logs.report_to_sentry(SENTRY_DSN, VERSION, SITE_URL)

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "line": {
            "()": "config.logs.MaskingFormatter",
            "format": "{asctime} {levelname} {name}: {message}",
            "style": "{",
        },
        "json": {"()": "config.logs.JsonLineFormatter"},
    },
    "filters": {
        "old schema": {"()": "campaign.schema.OneLine"},
        "without machines": {"()": "config.logs.SkipMonitoringRequests"},
    },
    "handlers": {
        "console": {
            "class": "logging.StreamHandler",
            "formatter": LOG_FORMAT,
            "filters": ["old schema"],
        },
        "admins": {"class": "config.logs.AdminMailHandler", "formatter": "line", "level": "ERROR"},
    },
    "root": {"handlers": ["console"], "level": env.str("LOG_LEVEL", "INFO")},
    # Axes logs every sign-in, of which only refused ones matter; Kombu warns that a folder has no
    # host.
    "loggers": {
        "django": {"handlers": [], "propagate": True},
        # Errors that ADMINS read: broken pages and tasks, failed parts of a pulse.
        **{
            name: {"handlers": ["admins"]}
            for name in (
                "api.problems",
                "celery.app.trace",
                "celery.worker.request",
                "campaign.pulse",
                "campaign.slow_database",
                "campaign.hosting.audit",
            )
        },
        "django.request": {"handlers": ["admins"], "filters": ["without machines"]},
        "axes": {"level": "WARNING"},
        "kombu": {"level": "ERROR"},
        # The debug lines of these contain secret addresses.
        **{name: {"level": "WARNING"} for name in ("urllib3", "requests", "fido2")},
    },
}
