"""If this fails, the table of a network is not MXNet's, or the drawing lacks nodes or puts one over another."""
import contextlib
import io
import os
import re
import tempfile
import unittest
import xml.etree.ElementTree as xml
from unittest import mock

import symc
from symc import _picture, viz

sym = symc.sym

# As MXNet 1.9.1 prints it.
TABLE = """\
____________________________________________________________
Layer (type)              Output ShapeParam Previous Layer  
============================================================
data(null)                3x8x8       0                     
____________________________________________________________
c1(Convolution)           8x8x8       224   data            
____________________________________________________________
r(Activation)             8x8x8       0     c1              
____________________________________________________________
add(elemwise_add)         8x8x8       0     r               
                                            c1              
____________________________________________________________
fc(FullyConnected)        10          90    add             
============================================================
Total params: 314
____________________________________________________________
"""


def net():
    first = sym.Convolution(sym.Variable("data"), num_filter=8, kernel=(3, 3), pad=(1, 1), name="c1")
    both = sym.elemwise_add(sym.Activation(first, act_type="relu", name="r"), first, name="add")
    return sym.FullyConnected(both, num_hidden=10, name="fc")


class Pictures(unittest.TestCase):
    def test_summary(self):
        with contextlib.redirect_stdout(io.StringIO()) as printed:
            viz.print_summary(net(), {"data": (1, 3, 8, 8)}, line_length=60)
        self.assertEqual(printed.getvalue(), TABLE)

    def test_source(self):
        source = viz.plot_network(net(), shape={"data": (1, 3, 8, 8)}).source
        self.assertIn('\tc1 [fillcolor="#fb8072" fixedsize=true height="0.8034" label="Convolution\\n3x3/1, 8" '
                      'shape=box style=filled width="1.3"]\n', source)
        self.assertIn('\tadd -> r [arrowtail=open dir=back label="8x8x8"]\n', source)
        self.assertNotIn("c1_weight", source)
        self.assertIn("c1_weight", viz.plot_network(net(), hide_weights=False).source)
        self.assertIn('label="(float32)"', viz.plot_network(net(), dtype={"data": "float32"}).source)

    def test_svg(self):
        picture = xml.fromstring(viz.plot_network(net())._repr_svg_())
        boxes = [tuple(float(each.get(key)) for key in ("x", "y", "width", "height"))
                 for each in picture.iter() if each.tag.endswith("}rect") and each.get("x")]
        paths = [each for each in picture.iter() if each.tag.endswith("}path") and each.get("marker-end")]
        self.assertEqual((len(boxes), len(paths)), (4, 5))
        for i, (x, y, width, height) in enumerate(boxes):
            self.assertTrue(0 <= x and x + width <= float(picture.get("width")) and 0 <= y
                            and y + height <= float(picture.get("height")))
            for other in boxes[:i]:
                self.assertTrue(abs(x - other[0]) >= width or abs(y - other[1]) >= height)
        ends = [[float(each) for each in re.findall(r"[-\d.]+", path.get("d"))] for path in paths]
        self.assertTrue(all(end[-1] < end[1] for end in ends))  # readers stand above

    def test_wide_layers_do_not_overlap(self):
        data = sym.Variable("data")
        parts = [sym.Activation(data, act_type="tanh", name="t%d" % i) for i in range(9)]
        picture = xml.fromstring(viz.plot_network(sym.Concat(*parts, data, name="all")).svg())
        boxes = sorted((float(each.get("y")), float(each.get("x"))) for each in picture.iter()
                       if each.tag.endswith("}rect") and each.get("x"))
        self.assertEqual(len(boxes), 10)
        self.assertTrue(all(b[0] != a[0] or b[1] - a[1] >= 124 for a, b in zip(boxes, boxes[1:])))

    def test_a_deep_network_fits_on_a_screen(self):
        x = sym.Variable("data")
        for i in range(60):
            x = sym.Activation(sym.Convolution(x, kernel=(1, 1), num_filter=4, name="a_rather_long_prefix_conv%d" % i), act_type="relu")
        graph = viz.plot_network(x, shape={"data": (1, 3, 8, 8)})
        picture = xml.fromstring(graph._repr_svg_())
        self.assertLessEqual(float(picture.get("height")), _picture.SCREEN)
        shown = [each.text for each in picture.iter() if each.tag.endswith("}text")]
        self.assertIn("113 nodes", shown)
        self.assertIn("57 Convolution", shown)
        self.assertEqual(len([each for each in xml.fromstring(graph.svg(whole=True)).iter() if each.tag.endswith("}rect")]), 121)

    def test_texts_stay_in_their_boxes(self):
        self.assertEqual(_picture.short_names(["net_conv0+net_bn0", "net_pool", "net_fc_out"]),
                         {"net_conv0+net_bn0": "conv0+bn0", "net_pool": "pool", "net_fc_out": "fc_out"})
        self.assertEqual(_picture.short_names(["stage1_conv+stage1_relu"]), {"stage1_conv+stage1_relu": "stage1_conv+relu"})
        for room in range(10, 200, 7):
            for name in ("stage1_unit1_conv1+bn1", "W" * 40, "i" * 40, "a_b"):
                for cut in (_picture.fit(name, room), _picture.fit_name(name, room)):
                    self.assertLessEqual(_picture.width(cut), room)
        self.assertEqual(_picture.fit_name("stage1_unit1_conv1", 60), "\u2026conv1")
        picture = xml.fromstring(viz.plot_network(sym.Variable("a" * 80) + 1).svg())
        self.assertEqual(picture[1].get("width"), "100%")  # a ground for dark pages
        self.assertTrue(all(_picture.width(each.text or "") <= 124 for each in picture.iter() if each.tag.endswith("}text")))

    def test_files(self):
        with tempfile.TemporaryDirectory() as folder:
            graph, path = viz.plot_network(net(), title="a net"), os.path.join(folder, "net.gv")
            self.assertEqual(graph.render(path), path + ".svg")
            with open(path, encoding="utf-8") as file:
                self.assertTrue(file.read().startswith('digraph "a net" {\n'))
            with mock.patch("shutil.which", lambda _: None):
                self.assertRaisesRegex(symc.SymcError, "format 'pdf' needs graphviz's program dot; svg does without",
                                       graph.render, path, "pdf")
            with open(os.path.join(folder, "dot"), "w", encoding="utf-8") as file:
                file.write("#!/bin/sh\necho no $1 >&2; exit 1\n")
            os.chmod(file.name, 0o755)
            with mock.patch.dict(os.environ, PATH=folder + ":" + os.environ["PATH"]):
                self.assertRaisesRegex(symc.SymcError, "^dot: no -Tpdf$", graph.render, path, "pdf")
            self.assertEqual(os.path.exists(graph.render(path, cleanup=True)) and os.path.exists(path), False)

    def test_mistakes(self):
        self.assertRaisesRegex(TypeError, "a Symbol can be shown, got 3", viz.print_summary, 3)
        with self.assertWarns(UserWarning):
            self.assertRaisesRegex(ValueError, "shapes of the inputs do not decide all others", viz.plot_network, net(),
                                   shape={})
        twice = sym.Group([sym.Variable("x") + 1, sym.Variable("x") + 2])
        with self.assertWarnsRegex(RuntimeWarning, "nodes of the same name are drawn as one: x"):
            viz.plot_network(twice)


if __name__ == "__main__":
    unittest.main()
