"""The ledgers of all accounts."""
