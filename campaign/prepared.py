"""Queries whose SQL is made once and asked many times.

Every page of a campaign asks for its row, its places and the reader's news. To ask takes a database
0.05 ms; to make the SQL of such a question takes Django one or two (docs/performance.md). The query
is built twice with samples of its arguments: where the two texts' parameters differ, an argument
stands.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from functools import lru_cache
from itertools import count
from threading import Lock
from typing import Any, NamedTuple

from django.db import DEFAULT_DB_ALIAS, connection, connections
from django.db.backends.sqlite3.base import FORMAT_QMARK_REGEX
from django.db.models import Model, QuerySet
from django.db.models.query import ModelIterable, get_related_populators

LARGEST = 2**63 - 1
MOST = 200
"""So many texts of one query are kept."""


class _Compiled(NamedTuple):
    sql: str
    params: tuple[Any, ...]
    places: tuple[tuple[int, int], ...]
    """Which parameter is which argument."""
    compiler: Any
    converters: dict[int, Any]
    objects: _Objects | None
    """None where the rows are no objects of a model."""


class _Objects:
    """Rows as objects, as `ModelIterable` makes them."""

    def __init__(self, compiler: Any) -> None:
        fields = compiler.klass_info["select_fields"]
        self._model, self._start, self._end = (
            compiler.klass_info["model"],
            fields[0],
            fields[-1] + 1,
        )
        self._names = [one[0].target.attname for one in compiler.select[self._start : self._end]]
        self._related = get_related_populators(
            compiler.klass_info, compiler.select, DEFAULT_DB_ALIAS
        )  # type: ignore[call-arg]  # the stubs are of a later Django
        self._annotations = compiler.annotation_col_map

    def rows(self, read: Iterable[Sequence[Any]]) -> list[Model]:
        created = []
        for row in read:
            one = self._model.from_db(DEFAULT_DB_ALIAS, self._names, row[self._start : self._end])
            for populator in self._related:
                populator.populate(row, one)
            for name, column in self._annotations.items():
                setattr(one, name, row[column])
            created.append(one)
        return created


class Prepared:
    """A query by its builder, whose arguments are numbers, texts and moments; each stands in the
    SQL as it is given.

    Fields, annotations and `select_related` come as from the query itself, and so do rows of
    `values_list`; `prefetch_related` does not. `same` are what else decides how the query looks:
    for each there is another text.
    """

    def __init__(self, build: Callable[..., QuerySet[Any]], *kinds: type) -> None:
        self._build, self._kinds = build, kinds
        self._compiled: dict[Any, _Compiled] = {}
        self._lock = Lock()

    def rows(self, *given: Any, same: tuple[Any, ...] = ()) -> list[Any]:
        if any(isinstance(one, int) and abs(one) > LARGEST for one in given):
            return []  # as Django answers: no column holds such a number, and SQLite refuses it
        database = connections[DEFAULT_DB_ALIAS]
        key = (database.vendor, same)
        compiled = self._compiled.get(key)
        if compiled is None:
            with self._lock:
                if len(self._compiled) >= MOST:
                    self._compiled.clear()  # so that a stranger's many addresses fill no memory
                compiled = self._compiled[key] = self._compile(same)
        params = list(compiled.params)
        for place, argument in compiled.places:
            params[place] = _bare(given[argument])
        with database.cursor() as cursor:
            if database.vendor == "sqlite":
                cursor.cursor.convert_query = _with_marks
            cursor.execute(compiled.sql, params)
            read: Any = cursor.fetchall()
        if compiled.converters:
            read = compiled.compiler.apply_converters(read, compiled.converters)
        if compiled.objects is None:
            return [tuple(row) for row in read] if compiled.converters else list(read)
        return compiled.objects.rows(read)

    def _compile(self, same: tuple[Any, ...]) -> _Compiled:
        numbers = count(900_001)
        first = [_sample(kind, next(numbers)) for kind in self._kinds]
        query = self._build(*first, *same)
        compiler = query.query.get_compiler(connection=connection)
        sql, params = compiler.as_sql()
        places = []
        for argument, kind in enumerate(self._kinds):
            other = list(first)
            other[argument] = _sample(kind, next(numbers))
            others = (
                self._build(*other, *same).query.get_compiler(connection=connection).as_sql()[1]
            )
            mine = [
                n
                for n, (one, another) in enumerate(zip(params, others, strict=True))
                if one != another
            ]
            if any(params[n] != _bare(first[argument]) for n in mine):
                raise TypeError(f"Argument {argument} does not stand in the SQL as it is given.")
            places += [(n, argument) for n in mine]
        objects = _Objects(compiler) if query._iterable_class is ModelIterable else None
        columns = [one[0] for one in compiler.select[: compiler.col_count]]
        return _Compiled(
            sql, tuple(params), tuple(places), compiler, compiler.get_converters(columns), objects
        )


def _sample(kind: type, number: int) -> Any:
    if kind is datetime:
        return datetime.fromisoformat(f"2000-01-01T00:00:00.{number}+00:00")
    return kind(number)


def _bare(value: Any) -> Any:
    """An argument as the database's own parameter."""
    return connection.ops.adapt_datetimefield_value(value) if isinstance(value, datetime) else value


@lru_cache(1024)
def _with_marks(sql: str, *, param_names: None = None) -> str:
    """As Django's cursor writes it for SQLite each time, which takes longer than a small answer."""
    return FORMAT_QMARK_REGEX.sub("?", sql).replace("%%", "%")
