"""Discord as a place to play: an application whose interactions Discord sends here over HTTP.

No program waits at Discord. Each command, chosen option or pressed button is one signed request,
and Discord shows its answer. Only the asker sees what may be hidden. Everything is done by the same
services as on the pages. docs/discord.md tells a host how to set it up.
"""
