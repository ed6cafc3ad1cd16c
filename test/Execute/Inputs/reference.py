"""Transformers in float64 numpy, written from their definitions alone: random
weights under Hugging Face's names and the loss of each token."""
import math

import numpy as np

GPT2_LAYER = {
    "ln_1.weight": "g", "ln_1.bias": "b", "attn.c_attn.weight": "c 3c",
    "attn.c_attn.bias": "3c", "attn.c_proj.weight": "c c",
    "attn.c_proj.bias": "c", "ln_2.weight": "g", "ln_2.bias": "b",
    "mlp.c_fc.weight": "c f", "mlp.c_fc.bias": "f",
    "mlp.c_proj.weight": "f c", "mlp.c_proj.bias": "c",
}
LLAMA_LAYER = {
    "input_layernorm.weight": "g", "self_attn.q_proj.weight": "q c",
    "self_attn.k_proj.weight": "k c", "self_attn.v_proj.weight": "k c",
    "self_attn.o_proj.weight": "c q", "post_attention_layernorm.weight": "g",
    "mlp.gate_proj.weight": "f c", "mlp.up_proj.weight": "f c",
    "mlp.down_proj.weight": "c f",
}


def random_weights(model, seed=7, std=0.2, embedding_std=None):
    """float32 tensors for the sizes of a spec's `model`; gains near 1."""
    random = np.random.default_rng(seed)
    width = model["hidden_size"]
    heads = model["num_attention_heads"]
    head = model.get("head_dim", width // heads)
    size = {
        "c": width, "g": width, "b": width, "3c": 3 * width, "q": heads * head,
        "k": model.get("num_key_value_heads", heads) * head,
        "f": model.get("intermediate_size", 4 * width),
        "v": model["vocab_size"], "p": model.get("n_positions", 1024),
    }
    weights = {}

    def add(name, dims, scale=std):
        values = random.normal(0, scale, [size[dim] for dim in dims.split()])
        weights[name] = (values + (dims == "g")).astype(np.float32)

    gpt2 = model["use"] == "gpt2"
    if gpt2:
        add("wte.weight", "v c", embedding_std or std)
        add("wpe.weight", "p c", embedding_std or std)
    else:
        add("model.embed_tokens.weight", "v c", embedding_std or std)
    for layer in range(model["num_hidden_layers"]):
        prefix = f"h.{layer}." if gpt2 else f"model.layers.{layer}."
        for name, dims in (GPT2_LAYER if gpt2 else LLAMA_LAYER).items():
            add(prefix + name, dims)
    if gpt2:
        add("ln_f.weight", "g")
        add("ln_f.bias", "b")
    else:
        add("model.norm.weight", "g")
        add("lm_head.weight", "v c")
    return weights


def gelu(x):
    return 0.5 * x * (1 + np.vectorize(math.erf)(x / math.sqrt(2)))


def gelu_tanh(x):
    inner = math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)
    return 0.5 * x * (1 + np.tanh(inner))


ACTIVATIONS = {
    "gelu": gelu, "gelu_new": gelu_tanh, "gelu_pytorch_tanh": gelu_tanh,
    "silu": lambda x: x / (1 + np.exp(-x)),
    "relu": lambda x: np.maximum(x, 0),
}


def layer_norm(x, gain, bias, eps):
    centred = x - x.mean(-1, keepdims=True)
    variance = (centred**2).mean(-1, keepdims=True)
    return centred / np.sqrt(variance + eps) * gain + bias


def rms_norm(x, gain, eps):
    return x / np.sqrt((x**2).mean(-1, keepdims=True) + eps) * gain


def frequencies(head, theta, scaling=None):
    """Radians a position for each of the head/2 planes."""
    plain = theta ** (-np.arange(0, head, 2) / head)
    if not scaling:
        return plain
    factor = scaling["factor"]
    if scaling["rope_type"] == "linear":
        return plain / factor
    low, high = scaling["low_freq_factor"], scaling["high_freq_factor"]
    # Turns of each plane within the original context.
    turns = scaling["original_max_position_embeddings"] * plain / (2 * np.pi)
    smooth = np.clip((turns - low) / (high - low), 0, 1)
    return (1 - smooth) * plain / factor + smooth * plain


def rotate(x, angles, layout):
    """x: [batch, position, head, feature]. `half` pairs feature i with
    i + head/2, `pairs` 2i with 2i + 1."""
    cos, sin = np.cos(angles)[:, None], np.sin(angles)[:, None]
    half = x.shape[-1] // 2
    first, second = ((x[..., :half], x[..., half:]) if layout == "half" else
                     (x[..., ::2], x[..., 1::2]))
    a, b = first * cos - second * sin, second * cos + first * sin
    if layout == "half":
        return np.concatenate([a, b], -1)
    return np.stack([a, b], -1).reshape(x.shape)


def attention(q, k, v, window=None):
    """[batch, position, head, feature], causal; heads share keys in groups."""
    group = q.shape[2] // k.shape[2]
    k, v = np.repeat(k, group, 2), np.repeat(v, group, 2)
    scores = np.einsum("bihd,bjhd->bhij", q, k) / math.sqrt(q.shape[-1])
    i, j = np.indices(scores.shape[-2:])
    seen = (j <= i) & (j > i - (window or len(i)))
    scores = np.where(seen, scores, -np.inf)
    weights = np.exp(scores - scores.max(-1, keepdims=True))
    weights /= weights.sum(-1, keepdims=True)
    return np.einsum("bhij,bjhd->bihd", weights, v)


def gpt2_logits(model, w, tokens):
    batch, length = tokens.shape
    eps = model.get("layer_norm_epsilon", 1e-5)
    activation = ACTIVATIONS[model.get("activation_function", "gelu_new")]
    heads = model["num_attention_heads"]
    x = w["wte.weight"][tokens] + w["wpe.weight"][:length]
    for layer in range(model["num_hidden_layers"]):
        p = {name: w[f"h.{layer}.{name}"] for name in GPT2_LAYER}
        n = layer_norm(x, p["ln_1.weight"], p["ln_1.bias"], eps)
        qkv = n @ p["attn.c_attn.weight"] + p["attn.c_attn.bias"]
        q, k, v = (part.reshape(batch, length, heads, -1)
                   for part in np.split(qkv, 3, -1))
        mixed = attention(q, k, v).reshape(batch, length, -1)
        x = x + mixed @ p["attn.c_proj.weight"] + p["attn.c_proj.bias"]
        n = layer_norm(x, p["ln_2.weight"], p["ln_2.bias"], eps)
        hidden = activation(n @ p["mlp.c_fc.weight"] + p["mlp.c_fc.bias"])
        x = x + hidden @ p["mlp.c_proj.weight"] + p["mlp.c_proj.bias"]
    x = layer_norm(x, w["ln_f.weight"], w["ln_f.bias"], eps)
    return x @ w["wte.weight"].T


def llama_logits(model, w, tokens, layout):
    batch, length = tokens.shape
    eps = model.get("rms_norm_eps", 1e-6)
    activation = ACTIVATIONS[model.get("hidden_act", "silu")]
    heads = model["num_attention_heads"]
    head = model.get("head_dim", model["hidden_size"] // heads)
    angles = np.arange(length)[:, None] * frequencies(
        head, model.get("rope_theta", 1e4), model.get("rope_scaling"))
    x = w["model.embed_tokens.weight"][tokens]
    for layer in range(model["num_hidden_layers"]):
        p = {name: w[f"model.layers.{layer}.{name}"] for name in LLAMA_LAYER}
        n = rms_norm(x, p["input_layernorm.weight"], eps)
        q, k, v = ((n @ p[f"self_attn.{kind}_proj.weight"].T)
                   .reshape(batch, length, -1, head) for kind in "qkv")
        mixed = attention(rotate(q, angles, layout), rotate(k, angles, layout),
                          v, model.get("sliding_window"))
        x = x + mixed.reshape(batch, length, -1) @ p[
            "self_attn.o_proj.weight"].T
        n = rms_norm(x, p["post_attention_layernorm.weight"], eps)
        hidden = (activation(n @ p["mlp.gate_proj.weight"].T) *
                  (n @ p["mlp.up_proj.weight"].T))
        x = x + hidden @ p["mlp.down_proj.weight"].T
    x = rms_norm(x, w["model.norm.weight"], eps)
    return x @ w["lm_head.weight"].T


def token_losses(model, weights, windows, layout="half"):
    """The loss of each label; `windows` are rows of T + 1 tokens."""
    w = {name: tensor.astype(np.float64) for name, tensor in weights.items()}
    windows = np.asarray(windows)
    inputs, labels = windows[:, :-1], windows[:, 1:]
    logits = (gpt2_logits(model, w, inputs) if model["use"] == "gpt2" else
              llama_logits(model, w, inputs, layout))
    top = logits.max(-1, keepdims=True)
    total = top[..., 0] + np.log(np.exp(logits - top).sum(-1))
    return total - np.take_along_axis(logits, labels[..., None], -1)[..., 0]


def windows_of(tokens, count, length):
    """The first windows of a file in order: neighbours share a token."""
    return np.stack([tokens[i * length:(i + 1) * length + 1]
                     for i in range(count)])
