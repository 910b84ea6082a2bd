"""Ledgers, log and dice as files for a spreadsheet."""
