"""`python -m augcse`."""

from augcse.cli.app import main

if __name__ == "__main__":
    main()
