"""CityNamesTransformation and GeoNamesTransformation, and the cities that replace others."""
