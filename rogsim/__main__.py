"""`python -m rogsim`: the command line."""

from rogsim.cli import main

if __name__ == "__main__":
    main()
