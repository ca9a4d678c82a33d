# SPDX-License-Identifier: Apache-2.0
# cpack -G DEB in a build folder: dovetail_VERSION_ARCH.deb, of what `cmake --install` brings. Its dependencies are those of
# the programs' shared libraries, as dpkg-shlibdeps finds them; the version is the project's.
set(CPACK_PACKAGE_NAME dovetail)
set(CPACK_PACKAGE_VENDOR "Dovetail")
set(CPACK_PACKAGE_CONTACT "Dovetail's developers <dovetail@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "Searches the layout of tensors and the loops over them together")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_GENERATOR DEB)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# `build` links nothing itself; whoever uses a package has a compiler. Engines beside which `run --peer` measures are Python's.
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "gcc")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "pocl-opencl-icd, python3")
include(CPack)
