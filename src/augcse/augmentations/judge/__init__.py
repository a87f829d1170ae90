"""The judge of replacements: a rule proposes what its definition allows, and the judge says how plausible each proposal is."""
