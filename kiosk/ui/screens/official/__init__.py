"""The officials' screens. Each shows what was and what will be before anything is done; a frame of its own colour says who acts."""
