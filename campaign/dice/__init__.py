"""The dice of a campaign: public proofs, dice entered by hand, renewed and mixed dice."""
