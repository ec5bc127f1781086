"""The writer of vizd's captures as a Conan package: `conan create include`. It is a header, which needs zstd."""
import os
import re

from conan import ConanFile
from conan.tools.build import check_min_cppstd
from conan.tools.files import copy, load


class VizdCapture(ConanFile):
    name = "vizd-capture"
    description = "Writer of vizd's captures: what a compiler did to a graph, and what devices then did"
    license = "MIT"
    package_type = "header-library"
    settings = "os", "arch", "compiler", "build_type"
    exports_sources = "vizd/*.h"
    no_copy_source = True

    def set_version(self):
        cmake = load(self, os.path.join(self.recipe_folder, "..", "CMakeLists.txt"))
        self.version = re.search(r"project\(vizd VERSION ([0-9.]+)", cmake).group(1)

    def export(self):
        copy(self, "LICENSE", os.path.join(self.recipe_folder, ".."), self.export_folder)

    def requirements(self):
        self.requires("zstd/[>=1.4 <2]", transitive_headers=True, transitive_libs=True)

    def validate(self):
        check_min_cppstd(self, 17)

    def package_id(self):
        self.info.clear()

    def package(self):
        copy(self, "vizd/*.h", self.source_folder, os.path.join(self.package_folder, "include"))
        copy(self, "LICENSE", self.recipe_folder, os.path.join(self.package_folder, "licenses"))

    def package_info(self):
        self.cpp_info.set_property("cmake_file_name", "vizd")
        self.cpp_info.set_property("cmake_target_name", "vizd::capture")
        self.cpp_info.set_property("pkg_config_name", "vizd-capture")
        self.cpp_info.bindirs = []
        self.cpp_info.libdirs = []
        if self.settings.os in ("Linux", "FreeBSD"):
            self.cpp_info.system_libs = ["pthread"]
