"""If this fails, training takes another number of threads than the processors that it may use, or than it is told."""
import os
import unittest
from unittest import mock

from symc import _runtime

NAMES = ("SYMC_THREADS", *_runtime._LOCAL_SIZES)


class Threads(unittest.TestCase):
    def of(self, processors, **variables):
        kept = {key: value for key, value in os.environ.items() if key not in NAMES}
        with mock.patch.dict(os.environ, {**kept, **variables}, clear=True), \
                mock.patch("os.sched_getaffinity", return_value=set(range(processors))):
            return _runtime.training_threads()

    def test_all_processors(self):
        self.assertEqual((self.of(1), self.of(6)), (1, 6))

    def test_what_is_said(self):
        self.assertEqual(self.of(6, SYMC_THREADS="2"), 0)  # the runtime reads it

    def test_several_processes(self):
        self.assertEqual(self.of(8, OMPI_COMM_WORLD_LOCAL_SIZE="4"), 2)
        self.assertEqual(self.of(2, PMI_SIZE="4"), 1)
        self.assertEqual(self.of(8, SLURM_NTASKS_PER_NODE="2(x3)"), 8)


if __name__ == "__main__":
    unittest.main()
