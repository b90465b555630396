"""The API's description: an OpenAPI document built from the routes, and a page made of it.

Routes import ``operations.py`` to describe themselves. Begin there; ``build.py`` collects what they say.
"""
