"""DiscourseMarkerSubstitution and its tables."""
