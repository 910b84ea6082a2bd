"""The kinds of notices, one module for each subject.

A kind is a class with everything about it (`notices.kinds.kind`). `notices.registry` is the list of
these modules. A function that another package calls stands beside the kinds it writes.
"""
