"""The pages of March on Rome (`games.contract.pages`)."""
