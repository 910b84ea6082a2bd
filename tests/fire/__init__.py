"""Failures of workers, brokers, databases and clocks.

Each due act happens once (`script/fire clocks`).
"""
