"""Live traffic: recording what arrives on a UDP port or passes between two programs, and sending bytes."""
