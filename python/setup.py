"""Puts the shared library into the package, so that an installed package needs nothing else."""

import shutil
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py
from setuptools.dist import Distribution

HERE = Path(__file__).resolve().parent
NAME = "libestr2048.so.0"


class BuildWithLibrary(build_py):
    """Copies the library that `make shared` left beside the Makefile, if it is there."""

    def run(self):
        super().run()
        built = HERE.parent / NAME
        if built.is_file():
            folder = Path(self.build_lib) / "estr2048"
            folder.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(built, folder / NAME)
        else:
            self.warn(f"{built} does not exist: run `make shared` first, or install the library; "
                      "ESTR2048_LIBRARY may name it too")


class WithLibrary(Distribution):
    """A package with a compiled library fits one kind of machine only."""

    def has_ext_modules(self):
        return (HERE.parent / NAME).is_file()


setup(cmdclass={"build_py": BuildWithLibrary}, distclass=WithLibrary)
