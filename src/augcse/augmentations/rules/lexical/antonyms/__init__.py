"""SentenceAdjectivesAntonymsSwitch and AntonymsSubstitute, and their word lists."""
