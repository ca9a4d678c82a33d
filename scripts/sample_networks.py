# SPDX-License-Identifier: Apache-2.0
"""The networks that tables of networks have, as scripts/make-models names their files."""

NETWORKS = ["resnet18", "mobilenet_v2", "bert_base", "bert_tiny", "resnet3d18"]  # the paper's: means are over these


def title_of(network, batch):
    """The name of the file for a batch: resnet18, resnet18-b16."""
    return network if batch == 1 else f"{network}-b{batch}"
