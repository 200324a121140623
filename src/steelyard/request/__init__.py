"""Every option once: signature, docstring, stub and command line follow from these records."""
