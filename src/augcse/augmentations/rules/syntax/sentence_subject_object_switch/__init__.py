"""SentenceSubjectObjectSwitch, and which phrases can change places."""
