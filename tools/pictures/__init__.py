"""The pictures of docs, drawn from small examples by the charts of the report: `make pages`.

`every.py` lists them, `examples.py` has their rows, `panels.py` puts several charts into one file.
"""
