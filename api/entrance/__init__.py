"""What every request passes before a handler sees it.

``application.py`` stacks the layers, the outermost first: ``entrance``, ``host_check``, ``rate_limit``. ``connections``
works below HTTP, on the server's sockets. Begin with ``entrance.py``.
"""
