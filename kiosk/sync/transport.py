"""The only HTTP client: TLS with a pinned certificate, and never without."""
