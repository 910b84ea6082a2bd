"""The pages of a user's own account: settings, programs, ways to sign in, access.

django-allauth handles signing in and passwords; these pages give it the look of this site.
"""
