"""The rules: one folder a title. Imports the engine and nothing else."""
