# SPDX-License-Identifier: Apache-2.0
"""A package from Python, without anything but the standard library.

    cc -shared -Wl,--whole-archive resnet18/lib/libresnet18.a -Wl,--no-whole-archive -o libresnet18.so
    python3 from_python.py ./libresnet18.so resnet18/share/resnet18 image.bin
"""
import ctypes
import json
import sys

library = ctypes.CDLL(sys.argv[1])
library.resnet18_metadata.restype = ctypes.c_char_p
library.resnet18_init.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t]
library.resnet18_status_text.restype = ctypes.c_char_p
metadata = json.loads(library.resnet18_metadata())


def aligned(size: int) -> int:
    """The address of so many bytes, at a multiple of 64; they live as long as the program."""
    memory = ctypes.create_string_buffer(size + 64)
    kept.append(memory)
    return (ctypes.addressof(memory) + 63) // 64 * 64


def check(status: int) -> None:
    if status != 0:
        sys.exit(library.resnet18_status_text(status).decode())


kept = []
weights = open(f"{sys.argv[2]}/resnet18.weights", "rb").read()
at = aligned(len(weights))
ctypes.memmove(at, weights, len(weights))
model = (ctypes.c_void_p * 7)()  # a struct of words
check(library.resnet18_init(model, at, len(weights)))

image = open(sys.argv[3], "rb").read()
size = next(t["bytes"] for t in metadata["tensors"] if t["role"] == "output")
scores = (ctypes.c_float * (size // 4))()
inputs = (ctypes.c_void_p * 1)(ctypes.cast(image, ctypes.c_void_p))
outputs = (ctypes.c_void_p * 1)(ctypes.addressof(scores))
workspace = aligned(metadata["sizes"]["workspace"][0]["bytes"])
check(library.resnet18_run(model, inputs, outputs, ctypes.c_void_p(workspace)))
print(f"score of class 0: {scores[0]:.9g}")
