"""Addresses as others can be told."""

from api.parts import Http, parts_of


def is_secure(request: Http) -> bool:
    """Tell whether a request came by HTTPS."""
    if request.url.scheme == "https":
        return True
    # Behind a proxy that ends TLS, the service itself is spoken to in plain HTTP.
    public = parts_of(request).settings.public_url or ""
    return public.startswith("https://") and public.removeprefix("https://") == request.headers.get("host")


def public_address(request: Http, path: str) -> str:
    """Return the whole address of a path, as others can be told."""
    public, host = parts_of(request).settings.public_url, request.headers.get("host", "")
    base = public or f"{'https' if is_secure(request) else 'http'}://{host}"
    return f"{base}{path}"
