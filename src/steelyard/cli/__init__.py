"""The command line: parse → api → report. Commands are in `commands`, one file each."""
