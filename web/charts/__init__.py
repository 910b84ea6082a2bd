"""Accounts over the log as charts."""
