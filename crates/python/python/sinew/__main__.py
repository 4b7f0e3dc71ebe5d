"""`python -m sinew`: the program, which lies in the package's scripts."""

from ._program import main

main()
