"""A second reading of docs/model.md: plain Python that shares no text with the model."""
