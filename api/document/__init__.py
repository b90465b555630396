"""The API's own description: an OpenAPI document built from the routes themselves, and a page made of it."""
