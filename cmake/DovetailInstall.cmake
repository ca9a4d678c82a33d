# SPDX-License-Identifier: Apache-2.0
# cmake --install BUILD [--prefix DIR]: the program with what it finds beside itself in lib/dovetail, a link to it in
# bin, completion for bash, zsh and fish, and manual pages; the library is installed by dovetail/CMakeLists.txt. What was not
# built is left out.
include(GNUInstallDirs)

set(home "${CMAKE_INSTALL_LIBDIR}/dovetail")
install(TARGETS dovetail dovetail-worker RUNTIME DESTINATION "${home}")
# cmake --build BUILD --target installed: all that is installed, without the tests.
add_custom_target(installed DEPENDS dovetail dovetail-worker dovetail_shared)
install(FILES "${CMAKE_BINARY_DIR}/serve_engine.py" DESTINATION "${home}")
foreach(target dovetail-peers dovetail-pdf dovetail-agent)
  if(TARGET ${target})
    add_dependencies(installed ${target})
    install(TARGETS ${target} RUNTIME DESTINATION "${home}" OPTIONAL LIBRARY DESTINATION "${home}" OPTIONAL)
  endif()
endforeach()

set(pages "${CMAKE_BINARY_DIR}/man")
# The date of the last commit, so that the pages of one version are the same wherever they are made.
execute_process(COMMAND git -C "${CMAKE_SOURCE_DIR}" log -1 --format=%cs OUTPUT_VARIABLE committed
                OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE ignored)
if(NOT committed)  # a copy without its history
  string(TIMESTAMP committed "%Y-%m-%d" UTC)  # SOURCE_DATE_EPOCH, where it is set
endif()
install(CODE "
  set(bin \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_BINDIR}\")
  file(MAKE_DIRECTORY \"\${bin}\")
  file(RELATIVE_PATH program \"\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_BINDIR}\"
       \"\${CMAKE_INSTALL_PREFIX}/${home}/dovetail\")
  file(CREATE_LINK \"\${program}\" \"\${bin}/dovetail\" SYMBOLIC)
  execute_process(COMMAND \"${CMAKE_SOURCE_DIR}/scripts/make-man\" \"$<TARGET_FILE:dovetail>\" \"${pages}\"
                          \"${committed}\"
                  COMMAND_ERROR_IS_FATAL ANY)")
install(DIRECTORY "${pages}/" DESTINATION "${CMAKE_INSTALL_MANDIR}/man1")

set(completions "${CMAKE_SOURCE_DIR}/scripts/completions")
install(DIRECTORY "${CMAKE_SOURCE_DIR}/docs/schemas/" DESTINATION "${CMAKE_INSTALL_DATADIR}/dovetail/schemas")
install(FILES "${completions}/dovetail.bash" DESTINATION "${CMAKE_INSTALL_DATADIR}/bash-completion/completions"
        RENAME dovetail)
install(FILES "${completions}/_dovetail" DESTINATION "${CMAKE_INSTALL_DATADIR}/zsh/site-functions")
install(FILES "${completions}/dovetail.fish" DESTINATION "${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d")
