"""The addresses of all parts of the site."""

from allauth.account.decorators import secure_admin_login
from django.contrib import admin
from django.urls import include, path

admin.site.site_header = admin.site.site_title = "Tabula"
admin.site.index_title = "To read, not to write"
# The site's own sign-in, which counts wrong passwords; allauth documents this assignment.
admin.site.login = secure_admin_login(admin.site.login)  # type: ignore[method-assign]  # see above

urlpatterns = [
    path("admin/", admin.site.urls),
    path("api/", include("api.urls")),
    path("", include("config.monitoring")),
    path("", include("web.urls")),
]

handler400 = "web.frame.errors.bad_request"
handler403 = "web.frame.errors.forbidden"
handler429 = "web.frame.errors.too_many"
handler404 = "web.frame.errors.not_found"
handler500 = "web.frame.errors.broken"
