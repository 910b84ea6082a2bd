"""The kinds of notices, with one module for each subject.

A kind is a class that has everything about it (`notices.kinds.kind`). `notices.registry` lists
these modules. A function that another package calls is in the module of the kinds that it writes.
"""
