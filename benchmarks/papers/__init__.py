"""What the papers print, beside what the library gives."""
