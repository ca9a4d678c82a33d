# SPDX-License-Identifier: Apache-2.0
"""Inputs as networks are given them, for scripts/bench-networks: photographs and a text instead of noise, because errors
depend on the range of activations.

  build/network-peers/bin/python scripts/network_inputs.py MODEL.onnx FOLDER      writes FOLDER/input_0.npy, input_1.npy, …

Images: the two photographs that scikit-learn ships (china.jpg, flower.jpg; a temple and a dahlia), cropped to squares, resized,
scaled by ImageNet's mean and deviation; a batch takes sixteen crops. Sixteen frames: a crop that moves over the photograph, by
Kinetics' mean and deviation. Words: a text of Apache's licence; each word is numbered by its checksum, 101 begins and 102 ends
it, and what is behind is padding, which the mask leaves out.
"""

import os
import re
import sys
import zlib

import numpy as np
import onnx
from PIL import Image
from sklearn.datasets import load_sample_images

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
IMAGENET = (np.array([0.485, 0.456, 0.406]), np.array([0.229, 0.224, 0.225]))
KINETICS = (np.array([0.43216, 0.394666, 0.37645]), np.array([0.22803, 0.22145, 0.216989]))
WORDS = 96  # of a sequence, the rest is padding
VOCABULARY = 30522


def crop(photograph, position, size):
    """A square as high as four fifths of the photograph, at a part of its width, in [0, 1], channels first."""
    height, width = photograph.shape[:2]
    side = height * 4 // 5
    left, top = int(position * (width - side)), int((1 - position) * (height - side))
    square = Image.fromarray(photograph[top:top + side, left:left + side])
    return np.asarray(square.resize((size[1], size[0]), Image.Resampling.BILINEAR)).transpose(2, 0, 1) / 255.0


def scaled(images, axis, scale):
    shape = [1] * images.ndim
    shape[axis] = 3
    return ((images - scale[0].reshape(shape)) / scale[1].reshape(shape)).astype(np.float32)


def images(shape):
    photographs = load_sample_images().images
    count = shape[0]
    crops = [crop(photographs[i % 2], (i // 2) / max(count // 2 - 1, 1) if count > 1 else 0.5, shape[2:])
             for i in range(count)]
    return scaled(np.stack(crops), 1, IMAGENET)


def frames(shape):
    photograph = load_sample_images().images[0]
    moved = [crop(photograph, f / (shape[2] - 1), shape[3:]) for f in range(shape[2])]
    return scaled(np.stack(moved, axis=1)[None], 1, KINETICS)


def words(shape):
    with open(os.path.join(ROOT, "LICENSE"), encoding="utf-8") as file:
        text = re.findall(r"[a-z]+", file.read().lower())
    first = 1000  # numbers below are not words
    numbers = [first + zlib.crc32(word.encode()) % (VOCABULARY - first) for word in text[:WORDS - 2]]
    row = np.zeros(shape[1], np.int64)
    row[:WORDS] = [101, *numbers, 102]
    return np.tile(row, (shape[0], 1))


def mask(shape):
    row = np.zeros(shape[1], np.int64)
    row[:WORDS] = 1
    return np.tile(row, (shape[0], 1))


def values_of(name, shape):
    if "mask" in name:
        return mask(shape)
    makers = {2: words, 4: images, 5: frames}
    if len(shape) not in makers:
        sys.exit(f"network_inputs: no input of shape {shape} is known ({name}); expected words, images or frames")
    return makers[len(shape)](shape)


def main():
    if len(sys.argv) != 3:
        sys.exit("network_inputs: expected MODEL.onnx FOLDER")
    model = onnx.load(sys.argv[1], load_external_data=False)
    constants = {initializer.name for initializer in model.graph.initializer}
    inputs = [i for i in model.graph.input if i.name not in constants]
    os.makedirs(sys.argv[2], exist_ok=True)
    for number, tensor in enumerate(inputs):
        shape = [dim.dim_value for dim in tensor.type.tensor_type.shape.dim]
        np.save(os.path.join(sys.argv[2], f"input_{number}.npy"), values_of(tensor.name, shape))


if __name__ == "__main__":
    main()
