"""The pages of the threads to which a campaign posts its reports. For its game masters."""
