"""Where tasks run: on this machine (local.py) or on several (slurm.py). All speak through files in the job's folder."""
