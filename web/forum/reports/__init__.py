"""The pages of a campaign's reports: the list, one report as a board shows it, the template."""
