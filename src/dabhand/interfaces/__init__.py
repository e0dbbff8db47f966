"""How people and programs reach dabhand: the command line first of all. Nothing else of ours imports this room."""
