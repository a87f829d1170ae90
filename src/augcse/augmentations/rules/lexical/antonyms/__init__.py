"""SentenceAdjectivesAntonymsSwitch and AntonymsSubstitute, and their lists."""
