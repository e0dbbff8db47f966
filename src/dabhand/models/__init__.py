"""Language models, the small one on the user's own machine and remote ones: what they are asked, and what answers say.

`prompts` and `answers` say what is asked and how an answer reads; training and asking share them. Nothing is imported
here, and what needs a package of an extra is imported when a model is first asked.
"""
