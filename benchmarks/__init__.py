"""How fast the explorer is, beside other model checkers and a yardstick in C, on one model in several sizes."""
