"""The pages of the threads to which a campaign posts its reports, for its game masters."""
