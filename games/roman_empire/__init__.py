"""History of the Roman Empire: peoples and emperors."""
