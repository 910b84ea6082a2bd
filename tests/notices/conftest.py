from tests.table import grand, people, running, table, toy
from tests.web.five import five, found

__all__ = ["five", "found", "grand", "people", "running", "table", "toy"]
