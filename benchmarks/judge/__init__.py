"""The independent judge: scenes, fillings, quoting, runner and scorer that share nothing with the learner.

Only the standard library is imported here. Whatever this package and dabhand agree on, they agree on through the
JSON of the contract, so a mistake in dabhand's practice, samples or sandbox cannot hide itself.
"""
