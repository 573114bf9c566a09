"""What can happen: the model, its contracts, its decision tables and the policies that use them."""
