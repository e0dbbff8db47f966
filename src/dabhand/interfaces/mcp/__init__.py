"""The server that coding agents hand work to over MCP: few tools, each an answer of the command line in compact form.

`tools` declares them, `calls` turns arguments into work, `children` and `jobs` do it, `roots` bounds it, `asking` puts
questions to the person at the host, `shortening` and `rendering` make the answer, and `server` speaks the protocol.
"""
