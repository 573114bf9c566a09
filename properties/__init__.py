"""What must hold: named sentences about runs of the model."""
