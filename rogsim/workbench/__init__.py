"""The workbench: `rogsim open` serves pages on this machine to change a rule, watch a game and play one."""
