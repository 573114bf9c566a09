"""The front door: command line, reports and file formats for people."""
