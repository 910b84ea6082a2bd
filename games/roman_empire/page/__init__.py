"""The pages of History of the Roman Empire (`games.contract.pages`)."""
