"""The contract between the site and a title: Protocols and dataclasses."""
