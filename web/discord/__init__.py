"""Discord as a place to play: an application whose interactions Discord sends here over HTTP.

The site runs no program at Discord. Each command, chosen option or pressed button is one signed
request, and Discord shows the answer to it. Only the user who asked sees an answer with hidden
facts. Moves are made by the same services as on the pages. docs/host/discord.md explains the
set-up to a host.
"""
