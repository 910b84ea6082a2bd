"""The rules of the titles, a folder for each title. They import only the engine."""
