"""What dabhand has to do with shells: reading their command lines, and writing lines that say exactly one plan.

`syntax` reads a line of bash into lists, pipelines, commands and words; `reading` takes a line that only looks at files
for the typed plan that it is, or says why it is none; `bash` and `powershell` write a plan as a line.
"""
