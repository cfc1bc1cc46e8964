"""ENet: the protocol of Godot's multiplayer over UDP, from datagrams to what an application sent."""
