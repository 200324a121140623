"""`python -m steelyard`: the command, where it is not on the path."""

from steelyard.cli.main import main

if __name__ == "__main__":
    main()
