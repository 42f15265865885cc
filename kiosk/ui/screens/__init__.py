"""The screens, one file each. `kiosk.ui.screens.base` says what a screen is."""
