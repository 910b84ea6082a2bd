from tests.table import grand, people, running, table, toy

__all__ = ["grand", "people", "running", "table", "toy"]
