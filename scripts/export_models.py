# SPDX-License-Identifier: Apache-2.0
"""scripts/export-models: networks as torch's exporters write them; see there."""

import argparse
import contextlib
import os
import sys
import warnings
from pathlib import Path

import numpy
import torch
import torchvision
import transformers

warnings.filterwarnings("ignore")
SEED = 18


def images(*shape):
    return lambda: (torch.randn(shape),)


def vision(name, **options):
    return lambda: getattr(torchvision.models, name)(weights=None, **options)


class BertOutputs(torch.nn.Module):
    """What a BERT gives as a tuple, with positional inputs."""

    def __init__(self, model):
        super().__init__()
        self.model = model

    def forward(self, input_ids, attention_mask):
        given = self.model(input_ids=input_ids, attention_mask=attention_mask)
        return given.last_hidden_state, given.pooler_output


def bert(layers, hidden, heads):
    def build():
        config = transformers.BertConfig(num_hidden_layers=layers, hidden_size=hidden,
                                         num_attention_heads=heads, intermediate_size=4 * hidden)
        return BertOutputs(transformers.BertModel(config))
    return build


def tokens(length):
    """Numbers of words, of which the last eighth is masked."""
    def build():
        mask = torch.ones(1, length, dtype=torch.int64)
        mask[:, length - length // 8:] = 0
        return torch.randint(0, 30000, (1, length)), mask
    return build


# Name: the network and its inputs, in full and small.
NETWORKS = {
    "bert_tiny": ((bert(2, 128, 2), tokens(128)), (bert(2, 32, 2), tokens(16))),
    "bert_base": ((bert(12, 768, 12), tokens(128)), (bert(3, 48, 12), tokens(16))),
    "mobilenet_v2": ((vision("mobilenet_v2"), images(1, 3, 224, 224)),
                     (vision("mobilenet_v2", width_mult=0.25), images(1, 3, 64, 64))),
    "resnet18": ((vision("resnet18"), images(1, 3, 224, 224)),
                 (vision("resnet18"), images(1, 3, 32, 32))),
    "resnet3d18": ((lambda: torchvision.models.video.r3d_18(weights=None),
                    images(1, 3, 16, 112, 112)),
                   (lambda: torchvision.models.video.r3d_18(weights=None),
                    images(1, 3, 4, 16, 16))),
    "squeezenet": ((vision("squeezenet1_1"), images(1, 3, 224, 224)),
                   (vision("squeezenet1_1"), images(1, 3, 48, 48))),
    "shufflenet_v2": ((vision("shufflenet_v2_x1_0"), images(1, 3, 224, 224)),
                      (vision("shufflenet_v2_x0_5"), images(1, 3, 64, 64))),
    "densenet121": ((vision("densenet121"), images(1, 3, 224, 224)),
                    (lambda: torchvision.models.DenseNet(8, (2, 3, 3, 2), 16),
                     images(1, 3, 64, 64))),
    "inception_v3": ((vision("inception_v3", aux_logits=False, init_weights=False),
                      images(1, 3, 299, 299)),
                     (vision("inception_v3", aux_logits=False, init_weights=False),
                      images(1, 3, 75, 75))),
}
# Exporter and operator set, of full and of small networks.
FORMS = {"full": [("torchscript", 17), ("dynamo", 18)],
         "small": [("torchscript", 9), ("torchscript", 13), ("torchscript", 17), ("dynamo", 18),
                   ("dynamo", 21)]}


def settle_normalizations(model, make_inputs):
    """Statistics of batch normalisation from noise, so that numbers stay of size one."""
    norms = [m for m in model.modules() if isinstance(m, torch.nn.modules.batchnorm._BatchNorm)]
    if not norms:
        return
    for norm in norms:
        norm.momentum = None  # an average of all passes
    model.train()
    inputs = make_inputs()
    with torch.no_grad():
        for _ in range(2):
            model(*(torch.randn(4, *tensor.shape[1:]) for tensor in inputs))


@contextlib.contextmanager
def quiet():
    """Exporters write whole graphs on stdout, past Python's own."""
    sys.stdout.flush()
    kept = os.dup(1), os.dup(2)
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, 1)
    os.dup2(null, 2)
    try:
        yield
    finally:
        for number, copy in enumerate(kept, start=1):
            os.dup2(copy, number)
            os.close(copy)
        os.close(null)


def export(model, inputs, exporter, opset, path):
    attention_is_one_operator = 14  # from this operator set on
    if isinstance(model, BertOutputs):
        eager = opset < attention_is_one_operator
        model.model.set_attn_implementation("eager" if eager else "sdpa")
    with quiet():
        torch.onnx.export(model, inputs, str(path), opset_version=opset,
                          dynamo=exporter == "dynamo")


def export_network(name, form, folder):
    network, make_inputs = NETWORKS[name][form == "small"]
    torch.manual_seed(SEED)
    model = network()
    settle_normalizations(model, make_inputs)
    model.eval()
    inputs = make_inputs()
    own = f"{name}-{form}"
    (folder / own).mkdir(parents=True, exist_ok=True)
    for i, tensor in enumerate(inputs):
        numpy.save(folder / own / f"input_{i}.npy", tensor.numpy())
    for exporter, opset in FORMS[form]:
        path = folder / f"{own}-{exporter}-{opset}.onnx"
        try:
            export(model, inputs, exporter, opset, path)
        except Exception as error:  # what an exporter cannot write is no fault of the network's
            path.unlink(missing_ok=True)
            print(f"export-models: {path.name}: {exporter} writes no operator set {opset}: "
                  f"{str(error).strip().splitlines()[0]}", file=sys.stderr)
            continue
        print(path, flush=True)


def main():
    parser = argparse.ArgumentParser(prog="export-models", description=__doc__)
    parser.add_argument("-o", "--output", type=Path, default=Path("build/models/exported"))
    parser.add_argument("--form", choices=sorted(FORMS), action="append")
    parser.add_argument("names", nargs="*", metavar="NAME", help=" ".join(NETWORKS))
    options = parser.parse_args()
    unknown = [name for name in options.names if name not in NETWORKS]
    if unknown:
        sys.exit(f"export-models: no network {unknown[0]}; expected one of {' '.join(NETWORKS)}")
    for name in options.names or NETWORKS:
        for form in options.form or sorted(FORMS):
            export_network(name, form, options.output)


if __name__ == "__main__":
    main()
