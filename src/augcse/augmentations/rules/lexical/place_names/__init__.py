"""CityNamesTransformation and GeoNamesTransformation, and the cities that they write."""
