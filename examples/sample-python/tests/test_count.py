import pathlib
import unittest

from stocktake.count import count_items, merge_counts

DATA = pathlib.Path(__file__).parent / "data"


class CountTest(unittest.TestCase):
    def test_adds_up(self):
        self.assertEqual(count_items(["bolt,3", "nut,4", "bolt,2"]), {"bolt": 5, "nut": 4})

    def test_leaves_out_other_lines(self):
        self.assertEqual(count_items(["article,number", "", "bolt"]), {})

    def test_reads_lines_that_end_in_cr_lf(self):
        lines = (DATA / "scanner.csv").read_bytes().decode().split("\n")
        self.assertEqual(count_items(lines), {"bolt": 12, "nut": 7})

    def test_merges(self):
        self.assertEqual(merge_counts({"bolt": 1}, {"bolt": 2}), {"bolt": 3})


if __name__ == "__main__":
    unittest.main()
