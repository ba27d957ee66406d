"""Imports the extension and reads the pictures of ten digits. Breaks where an answer, the module's end or a sentence
about a wrong argument is another. Usage: test_digits_reader.py 0.bin ... 9.bin"""
import array
import sys
import unittest

import digits_reader


def pixels_of(path):
    with open(path, "rb") as file:
        return file.read()


class DigitsReader(unittest.TestCase):
    def test_pictures(self):
        for digit, path in enumerate(pictures):
            chances = digits_reader.read(pixels_of(path))
            self.assertEqual(chances.index(max(chances)), digit)
            self.assertAlmostEqual(sum(chances), 1, places=5)

    def test_other_buffers(self):
        data = pixels_of(pictures[3])
        want = digits_reader.read(data)
        self.assertEqual(digits_reader.read(array.array("f", data)), want)
        self.assertEqual(digits_reader.read(memoryview(bytearray(data)).cast("f", (28, 28))), want)

    def test_wrong_arguments(self):
        for wrong, message in ((b"123", "pixels: expected 3136 bytes of float32, got 3 of format 'B'"),
                               (array.array("d", [0.0] * 392),
                                "pixels: expected 3136 bytes of float32, got 3136 of format 'd'")):
            with self.assertRaises(ValueError) as caught:
                digits_reader.read(wrong)
            self.assertEqual(str(caught.exception), message)
        with self.assertRaises(BufferError):
            digits_reader.read(memoryview(bytes(2 * 3136))[::2])
        with self.assertRaises(TypeError):
            digits_reader.read(None)

    def test_two_modules(self):
        """The module may be loaded again: each has its context."""
        data = pixels_of(pictures[5])
        want = digits_reader.read(data)
        first = sys.modules.pop("digits_reader")
        import digits_reader as again
        self.assertIsNot(first, again)
        self.assertEqual(again.read(data), want)
        del first


if __name__ == "__main__":
    pictures = sys.argv[1:]
    unittest.main(argv=sys.argv[:1])
