"""A language model of characters: embedding, one layer of LSTM, softmax over the characters.

    character_model.py prepare TEXT...       text-symbol.json, train.npz, test.npz, characters.txt
    character_model.py write PREFIX EPOCH    a line that the trained model writes
"""
import sys

import numpy as np
import symc as mx

LENGTH, UNITS = 32, 96


def network(characters, length=LENGTH):
    """data [N, length] of numbers of characters -> the next character at each place, [N * length, characters]."""
    x = mx.sym.Embedding(mx.sym.Variable("data"), input_dim=characters, output_dim=48, name="embed")
    outputs, _ = mx.rnn.LSTMCell(UNITS, prefix="lstm_").unroll(length, x, layout="NTC", merge_outputs=True)
    scores = mx.sym.FullyConnected(mx.sym.Reshape(outputs, shape=(-1, UNITS)), num_hidden=characters, name="next")
    labels = mx.sym.Reshape(mx.sym.Variable("softmax_label"), shape=(-1,))
    return mx.sym.SoftmaxOutput(scores, labels, name="softmax")


def prepare(paths, most=120_000):
    text = "".join(open(path, encoding="utf-8").read() for path in sorted(paths))
    text = "".join(each if " " <= each <= "~" or each == "\n" else " " for each in text)[:most]
    characters = "".join(sorted(set(text)))
    numbers = np.array([characters.index(each) for each in text], "float32")
    count = (len(numbers) - 1) // LENGTH
    data = numbers[:count * LENGTH].reshape(count, LENGTH)
    labels = numbers[1:count * LENGTH + 1].reshape(count, LENGTH)
    tests = np.arange(count) % 10 == 9
    np.savez("train.npz", data=data[~tests], softmax_label=labels[~tests])
    np.savez("test.npz", data=data[tests], softmax_label=labels[tests])
    network(len(characters)).save("text-symbol.json")
    with open("characters.txt", "w", encoding="utf-8") as file:
        file.write(characters)


def write(prefix, epoch, count=76):
    """The likeliest characters, one by one, of what the model saw last."""
    with open("characters.txt", encoding="utf-8", newline="") as file:
        characters = file.read()
    symbol, arguments, _ = mx.model.load_checkpoint(prefix, epoch)
    model = mx.compile(symbol, arguments, {"data": (1, LENGTH)})
    rng, line = np.random.default_rng(1), "The compiler "
    while len(line) < count:
        seen = line[-LENGTH:]
        data = np.zeros((1, LENGTH), "float32")
        data[0, :len(seen)] = [characters.index(each) for each in seen]
        odds = np.asarray(model(data=data)).reshape(LENGTH, -1)[len(seen) - 1].astype("float64") ** 2
        odds[characters.index("\n")] = 0
        line += characters[rng.choice(len(odds), p=odds / odds.sum())]
    model.close()
    print(line)


if __name__ == "__main__":
    if sys.argv[1] == "prepare":
        prepare(sys.argv[2:])
    else:
        write(sys.argv[2], int(sys.argv[3]))
