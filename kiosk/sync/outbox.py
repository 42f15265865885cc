"""What a table sends when: decided purely, from what is accepted, what was answered, and the instant."""
