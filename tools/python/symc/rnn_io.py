"""Sentences as numbers, and batches of sentences of about one length, by MXNet's names."""
import bisect
import random
import warnings

import numpy as np

from .io import DataBatch, DataDesc, DataIter
from .ndarray import array


def encode_sentences(sentences, vocab=None, invalid_label=-1, invalid_key="\n", start_label=0, unknown_token=None):
    """(sentences as lists of numbers, {word: number}). Without `vocab` each new word gets the next number from
    start_label on, but for invalid_label; with it a new word is refused, unless there is an unknown_token, to which each
    new word gives the next number, as in MXNet."""
    grows = vocab is None
    if grows:
        vocab = {invalid_key: invalid_label}
    following = start_label
    coded = []
    for sentence in sentences:
        numbers = []
        for word in sentence:
            if word not in vocab:
                if not grows and not unknown_token:
                    raise ValueError("the word %r is not in the vocabulary; unknown_token takes such words" % (word,))
                following += following == invalid_label
                word = unknown_token or word
                vocab[word] = following
                following += 1
            numbers.append(vocab[word])
        coded.append(numbers)
    return coded, vocab


class BucketSentenceIter(DataIter):
    """Batches of sentences (lists of numbers) of one bucket each: the sentence fills up to the bucket's length with
    invalid_label, and its label is the sentence from the second word on. Longer sentences and rows that fill no batch
    are left out; `buckets` are the lengths of which there is a batch, unless given."""

    def __init__(self, sentences, batch_size, buckets=None, invalid_label=-1, data_name="data",
                 label_name="softmax_label", dtype="float32", layout="NT"):
        super().__init__(batch_size)
        if layout not in ("NT", "TN"):
            raise ValueError("layout is '%s', needs NT or TN" % layout)
        if not buckets:
            counts = np.bincount([len(each) for each in sentences])
            buckets = [length for length, count in enumerate(counts) if count >= batch_size]
        buckets = sorted(buckets)
        rows, longer = {length: [] for length in buckets}, 0
        for each in sentences:
            place = bisect.bisect_left(buckets, len(each))
            if place == len(buckets):
                longer += 1
            else:
                rows[buckets[place]].append([*each, *[invalid_label] * (buckets[place] - len(each))])
        self.buckets = [length for length in buckets if rows[length]]
        if not self.buckets:
            raise ValueError("no sentence fits a bucket; the buckets are %s" % (buckets or "none"))
        if longer:
            warnings.warn("%d sentences are longer than the largest bucket and left out" % longer, stacklevel=2)
        self.data = [np.asarray(rows[length], dtype=dtype) for length in self.buckets]
        self.data_name, self.label_name, self.dtype, self.layout = data_name, label_name, dtype, layout
        self.invalid_label, self.major_axis = invalid_label, layout.find("N")
        self.default_bucket_key = max(self.buckets)
        shape = (batch_size, self.default_bucket_key)[::1 if self.major_axis == 0 else -1]
        self.provide_data = [DataDesc(data_name, shape, layout=layout)]
        self.provide_label = [DataDesc(label_name, shape, layout=layout)]
        self.idx = [(bucket, row) for bucket, each in enumerate(self.data)
                    for row in range(0, len(each) - batch_size + 1, batch_size)]
        self.reset()

    def reset(self):
        """Another order of batches, and of rows in buckets."""
        self.curr_idx = 0
        random.shuffle(self.idx)
        self.nddata, self.ndlabel = [], []
        for each in self.data:
            np.random.shuffle(each)
            label = np.full_like(each, self.invalid_label)
            label[:, :-1] = each[:, 1:]
            self.nddata.append(array(each, dtype=self.dtype))
            self.ndlabel.append(array(label, dtype=self.dtype))

    def next(self):
        if self.curr_idx == len(self.idx):
            raise StopIteration
        bucket, row = self.idx[self.curr_idx]
        self.curr_idx += 1
        data, label = (each[bucket][row:row + self.batch_size] for each in (self.nddata, self.ndlabel))
        if self.major_axis == 1:
            data, label = data.T, label.T
        return DataBatch([data], [label], pad=0, bucket_key=self.buckets[bucket],
                         provide_data=[DataDesc(self.data_name, data.shape, layout=self.layout)],
                         provide_label=[DataDesc(self.label_name, label.shape, layout=self.layout)])
