"""The same in Python: generate.py BEAMS TOKENS NUMBER ... prints what generate.c prints.

A Model keeps the states of a decoder from call to call; get_state and set_state read and write them. --check computes the
probability of each row again, in one run over all of its tokens.
"""
import sys

import numpy as np
import symc

import draw_decoder as decoder


def reorder(model, parents):
    """Text i continues what text parents[i] was."""
    for name in decoder.STATES:
        state = model.get_state(name)  # [texts * heads, rows, width]
        texts = state.reshape(len(parents), decoder.HEADS, *state.shape[1:])
        model.set_state(name, texts[parents].reshape(state.shape))


def search(model, prompt, beams, more):
    """The `beams` likeliest texts that a beam search finds, best first, and the logarithms of their probability."""
    texts = np.tile(np.array(prompt, "float32"), (beams, 1))
    scores = np.zeros(1)  # all begin as one
    model.reset_state()
    found = model(texts, np.arange(len(prompt), dtype="float32"))
    for made in range(more):
        sums = scores[:, None] + found[:len(scores)].astype("float64")
        best = np.argsort(-sums, axis=None, kind="stable")[:beams]
        parents, tokens = np.divmod(best, decoder.VOCABULARY)
        scores = sums.ravel()[best]
        texts = np.concatenate([texts[parents], tokens[:, None].astype("float32")], axis=1)
        if made + 1 < more:
            if (parents != np.arange(beams)).any():
                reorder(model, parents)
            found = model(texts[:, -1:], np.array([texts.shape[1] - 1], "float32"))
    return texts.astype(int), scores


def check(model, prompt, texts, scores):
    """Each text token by token from no states at all gives the same probability."""
    sums = np.zeros(len(texts))
    for length in range(len(prompt), texts.shape[1]):
        model.reset_state()
        found = model(texts[:, :length].astype("float32"), np.arange(length, dtype="float32"))
        sums += found[np.arange(len(texts)), texts[:, length]]
    np.testing.assert_allclose(scores, sums, rtol=1e-5)


def main():
    words = [word for word in sys.argv[1:] if word != "--check"]
    beams, more, *prompt = map(int, words)
    net = decoder.compose()
    with symc.compile(net, decoder.draw(net), decoder.shapes(beams), grow=decoder.grow()) as model:
        texts, scores = search(model, prompt, beams, more)
        for text, score in zip(texts, scores):
            print("%.4f %s" % (score, " ".join(map(str, text))))
        if "--check" in sys.argv:
            check(model, prompt, texts, scores)


if __name__ == "__main__":
    main()
