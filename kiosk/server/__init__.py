"""The tournament server: one event, its tables, their matches and results. Command `kiosk-server`, extra `[server]`."""
