"""The workbook as files: where each lab is, and all answers that the project has for it."""
