"""The interface for programs, with one module per noun."""
