"""Defects on purpose: mutants of the model, of the table and of the practices, each with what must notice it."""
