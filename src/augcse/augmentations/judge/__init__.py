"""The judge of replacements: a rule proposes what its definition allows, the judge says how plausible each proposal is."""
