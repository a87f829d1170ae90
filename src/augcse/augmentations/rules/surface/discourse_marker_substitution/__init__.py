"""DiscourseMarkerSubstitution and its list."""
