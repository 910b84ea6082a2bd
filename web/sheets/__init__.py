"""Ledgers, log and dice as files for spreadsheets."""
