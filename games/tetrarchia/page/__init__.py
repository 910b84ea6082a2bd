"""The pages of Tetrarchia (`games.contract.pages`)."""
