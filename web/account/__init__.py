"""The pages of a user's own account: settings, programs, ways to sign in, access.

django-allauth signs in and keeps passwords; these pages give it our look.
"""
