"""How we know: lowering, exhaustive exploration and proofs."""
