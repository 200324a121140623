"""The compiled kernels, where `cargo` is found; everything else is in pyproject.toml."""

import os
import shutil

from setuptools import setup


def extensions() -> list[object]:
    """The extension to build; none with STEELYARD_BUILD=numpy or without a compiler of Rust."""
    if os.environ.get("STEELYARD_BUILD") == "numpy" or not shutil.which("cargo"):
        return []
    from setuptools_rust import Binding, RustExtension

    kernels = RustExtension(
        "steelyard.kernels._rust",
        path="rust/Cargo.toml",
        binding=Binding.PyO3,
        features=["python"],
        args=["--locked"],
        debug=False,
        py_limited_api=True,
    )
    return [kernels]


setup(
    rust_extensions=extensions(),
    options={"bdist_wheel": {"py_limited_api": "cp311"}} if extensions() else {},
)
