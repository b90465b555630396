"""The operator's desk: pages under ``/ops`` that only operators see."""
