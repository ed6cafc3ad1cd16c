#!/usr/bin/env python3
"""Prints the spec of a golden case.

golden_spec.py CASE_DIR [MICRO_BATCH_SIZE] [validate]
"""
import json
import os
import sys

case = os.path.abspath(sys.argv[1])


def load(name):
    with open(os.path.join(case, name)) as file:
        return json.load(file)


expected, config = load("expected.json"), load("config.json")
optimizer, attention = expected["optimizer"], expected["attention"]

model = {
    "use": config["model_type"],
    "config": os.path.join(case, "config.json"),
    "weights": os.path.join(case, "model.safetensors"),
}
if attention["sliding_window"] and not config.get("sliding_window"):
    model["sliding_window"] = attention["sliding_window"]
if attention["global_tokens"]:
    model["global_tokens"] = attention["global_tokens"]
data = {
    "train": os.path.join(case, "tokens.bin"),
    "format": "llmc",
    "shuffle": False,
}
if attention["document_end_token"] is not None:
    data["end_of_document"] = attention["document_end_token"]
    model["document_mask"] = True

batch = expected["global_batch_size"]
train = {
    "sequence_length": expected["sequence_length"],
    "global_batch_size": batch,
    "micro_batch_size": int(sys.argv[2]) if len(sys.argv) > 2 else batch,
    "train_steps": expected["train_steps"],
    "clip_grad": expected["clip_grad"],
    "optimizer": {
        key: optimizer[key]
        for key in ("name", "lr", "momentum", "betas", "eps", "weight_decay")
        if key in optimizer
    },
}
if "validate" in sys.argv:
    data["validation"] = data["train"]
if attention.get("ignore_label") is not None:
    train["ignore_label"] = attention["ignore_label"]

# JSON is YAML.
spec = {
    "llmc": 1,
    "name": os.path.basename(case),
    "model": model,
    "data": data,
    "train": train,
}
print(json.dumps(spec, indent=1))
