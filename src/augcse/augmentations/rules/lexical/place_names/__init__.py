"""CityNamesTransformation and GeoNamesTransformation, and the places they know."""
