"""Readers of free text: moves as people type them, and the parts that other readers share.

`tokens` cuts a text into words, numbers and signs; `grammar` has the words of each language as
data; `matcher` finds phrases and near spellings; `lines` cuts a text into lines, speakers and
parts. `wording`, `vocabulary` and `move_reader` understand moves, `record` the form of the record.
"""
