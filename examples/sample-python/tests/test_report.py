import pathlib
import unittest

from stocktake.legacy import read_export
from stocktake.report import report

DATA = pathlib.Path(__file__).parent / "data"


class ReportTest(unittest.TestCase):
    def test_is_sorted(self):
        self.assertEqual(report(["nut,4", "bolt,3"]), "bolt           3\nnut            4")

    def test_names_in_chinese(self):
        lines = (DATA / "盘点 三月.csv").read_text(encoding="utf-8").splitlines()
        self.assertIn("螺丝", report(lines))

    def test_exports_of_old_scanners(self):
        self.assertEqual(read_export('[["bolt", 3]]'), {"bolt": 3})


if __name__ == "__main__":
    unittest.main()
