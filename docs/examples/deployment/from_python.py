# SPDX-License-Identifier: Apache-2.0
"""A package from Python, without anything but the standard library. It is for packages of the usual form, whatever their
name: weights in one file (no `--weights embed`, at most one `--constants-pool`), temporaries in one workspace (at most one
`--pool`, or `--workspace internal`), one input, and one output of f32. It says what is different about any other.

    cc -shared -Wl,--whole-archive resnet18/lib/libresnet18.a -Wl,--no-whole-archive -o libresnet18.so
    python3 from_python.py ./libresnet18.so resnet18/share/resnet18 image.bin
"""
import ctypes
import json
import sys

FLOAT = {"code": 2, "bits": 32, "lanes": 1}  # DLPack's DLDataType


def read(path: str, size: int = -1) -> bytes:
    """A file, of exactly so many bytes where they are given."""
    try:
        with open(path, "rb") as file:
            data = file.read()
    except OSError as error:
        sys.exit(f"{path}: cannot be read: {error.strerror}")
    if size >= 0 and len(data) != size:
        sys.exit(f"{path}: {len(data)} bytes found, expected {size}")
    return data


def only(what: str, found: list) -> dict:
    if len(found) != 1:
        sys.exit(f"{name}: {len(found)} {what}, expected one")
    return found[0]


def tensor(role: str) -> dict:
    """The network's only input or output, which the library reads or writes unasked."""
    return only(f"tensors as {role}", [tensor for tensor in metadata["tensors"] if tensor["role"] == role])


def function(verb: str, *arguments, result=ctypes.c_int):
    """NAME_VERB of the library."""
    try:
        found = getattr(library, f"{name}_{verb}")
    except AttributeError:
        sys.exit(f"{sys.argv[1]}: has no {name}_{verb}, expected the library of package {name}")
    found.argtypes, found.restype = arguments, result
    return found


def aligned(size: int) -> int:
    """The address of so many bytes, at a multiple of 64; they live as long as the program."""
    memory = ctypes.create_string_buffer(size + 64)
    kept.append(memory)
    return (ctypes.addressof(memory) + 63) // 64 * 64


def check(status: int) -> None:
    if status != 0:
        sys.exit(function("status_text", ctypes.c_int, result=ctypes.c_char_p)(status).decode())


if len(sys.argv) != 4:
    print(f"usage: {sys.argv[0]} ./libresnet18.so resnet18/share/resnet18 image.bin", file=sys.stderr)
    sys.exit(2)
metadata = json.loads(read(f"{sys.argv[2]}/metadata.json"))
name, kept = metadata["name"], []
weights_bytes = only("pools of weights", metadata["sizes"]["weights"])["bytes"]
workspace_bytes = only("pools of temporaries", metadata["sizes"]["workspace"])["bytes"]
weights_name = f"{name}.weights"
if f"share/{name}/{weights_name}" not in metadata["files"]:
    sys.exit(f"{name}: its weights are in the library, expected a file {weights_name} (build without --weights embed)")
if tensor("output")["dtype"] != FLOAT:
    sys.exit(f"{name}: an output of another type, expected f32")
try:
    library = ctypes.CDLL(sys.argv[1])
except OSError as error:  # it names the file
    sys.exit(str(error))

weights = read(f"{sys.argv[2]}/{weights_name}", weights_bytes)
at = aligned(len(weights))
ctypes.memmove(at, weights, len(weights))
model = (ctypes.c_void_p * 7)()  # a struct of words
check(function("init", ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t)(model, at, len(weights)))

image = read(sys.argv[3], tensor("input")["bytes"])
scores = (ctypes.c_float * (tensor("output")["bytes"] // 4))()
inputs = (ctypes.c_void_p * 1)(ctypes.cast(image, ctypes.c_void_p))
outputs = (ctypes.c_void_p * 1)(ctypes.addressof(scores))
# With --workspace internal the function has one parameter fewer, and does not look at this one.
run = function("run", ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p)
check(run(model, inputs, outputs, aligned(workspace_bytes)))
print(f"score of class 0: {scores[0]:.9g}")
