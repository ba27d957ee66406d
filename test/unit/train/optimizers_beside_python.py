#!/usr/bin/env python3
"""Every optimizer of the runtime beside symc.optimizer, whose numbers are MXNet 1.9.1's: five updates of parameters of
several sizes, names and multipliers, by changing rates. If this fails, compiled trainers learn otherwise than MXNet.

Usage: optimizers_beside_python.py PACKAGES SHIM
PACKAGES is the folder that holds `symc`, SHIM the library of train_shim.cpp. Exit status: 0, 1, or 77 without NumPy.
"""
import ctypes
import sys
import unittest

try:
    import numpy as np
except ImportError:
    print("skipped: this Python has no NumPy")
    sys.exit(77)

RANGE, STATES = 16384, 4  # of runtime/train/optimizer.h
# Sizes of less than a vector, of one and of several ranges; five parameters are two groups of LARS.
SHAPES = {"one_weight": (1,), "few_bias": (7,), "norm_gamma": (16,), "norm_beta": (16,), "layer_weight": (1000,),
          "late_weight": (3, 5, 7), "large_weight": (40, 1001)}
MATRICES = {"one_weight": (1, 1), "few_weight": (7, 3), "tall_weight": (1000, 1), "wide_weight": (3, 20011),
            "own_weight": (100, 333)}
LR_MULT, WD_MULT = {"layer_weight": 0.5, "own_weight": 0.5}, {"norm_beta": 0.25, "late_weight": 2.0}
LEARNING_RATES = (0.1, 0.1, 0.05, 0.08, 0.02)

MIXED = "wd=0.01,clip_gradient=0.5,rescale_grad=0.25"
# Text of the runtime, and the options of the class where they are not the same words.
CASES = [
    "sgd", "sgd,momentum=0.9", "sgd,momentum=0.9," + MIXED, "sgd," + MIXED, "ccsgd,wd=0.1",
    "nag", "nag,momentum=0.9", "nag,momentum=0.8," + MIXED,
    "signum", "signum,momentum=0", "signum,wd_lh=0.03,momentum=0.7," + MIXED, "signum,momentum=0," + MIXED,
    "dcasgd", "dcasgd,lamda=0.4," + MIXED,
    "adam", "adam," + MIXED, "adam,beta1=0.8,beta2=0.99,epsilon=1e-3,wd=0.02",
    "adamax", "adamax,beta1=0.8,beta2=0.9," + MIXED,
    "nadam", "nadam,schedule_decay=0.1,beta1=0.8," + MIXED,
    "ftml", "ftml,beta1=0.8," + MIXED,
    "rmsprop", "rmsprop,clip_weights=0.3," + MIXED, "rmsprop,centered=True", "rmsprop,centered=True,gamma2=0.7," + MIXED,
    "adagrad", "adagrad," + MIXED,
    "groupadagrad", "groupadagrad,eps=1e-3,clip_gradient=0.5,rescale_grad=0.25",
    "adadelta", "adadelta,rho=0.8," + MIXED,
    "ftrl", "ftrl,lamda1=0.2,beta=2," + MIXED,
    "lamb", "lamb,bias_correction=False," + MIXED, "lamb,lower_bound=0.5,upper_bound=3,wd=0.01", "lamb," + MIXED,
    "lars", "lars,momentum=0.9,eta=0.1," + MIXED, "lars,momentum=0.9,momentum_correction=False,eta=0.2,eps=0.1,wd=0.01",
    "lbsgd", "lbsgd,momentum=0.9,batch_scale=2,updates_per_epoch=2,warmup_epochs=2," + MIXED,
    "lbsgd,batch_scale=2,warmup_strategy=power2,updates_per_epoch=3", "lbsgd,warmup_strategy=sqrt,momentum=0.5",
    "lbsgd,batch_scale=3,warmup_strategy=sqrt,updates_per_epoch=3,begin_epoch=1",
    "lbsgd,momentum=0.9,warmup_strategy=lars,wd=0.01", "lbsgd,batch_scale=2,warmup_strategy=lars,wd=0.01",
]
# Sums over parameters and powers of floats round by their order and library: 1e-6. All others have equal bits.
ROUNDED = ("groupadagrad", "lamb", "lars", "lbsgd", "ftml")
WORDS = {"true": True, "false": False, "True": True, "False": False}


def options_of(text):
    found = {}
    for each in text.split(",")[1:]:
        key, value = each.split("=")
        try:
            found[key] = int(value) if key.endswith(("epochs", "epoch", "scale")) else float(value)
        except ValueError:
            found[key] = WORDS.get(value, value)
    return found


def drawn(shape, place, step):
    return np.random.RandomState(1000 * step + place).uniform(-1, 1, shape).astype(np.float32)


class Compiled:
    """A driver of the runtime's rows."""

    def __init__(self, text, shapes):
        shim.shim_optimizer.restype = ctypes.c_void_p
        shim.shim_decays.restype = ctypes.c_double
        error = ctypes.create_string_buffer(256)
        self.own = ctypes.c_void_p(shim.shim_optimizer(text.encode(), error, len(error)))
        if not self.own.value:
            raise ValueError(error.value.decode())
        self.shapes = shapes
        self.states = [[np.zeros(shape, np.float32) for _ in range(shim.shim_states(self.own))] for shape in shapes.values()]
        self.wd_mults = [WD_MULT.get(name, shim.shim_decays(self.own, name.encode())) for name in shapes]

    def set(self, name, value):
        shim.shim_set_value(self.own, name.encode(), ctypes.c_double(value))

    def update(self, weights, gradients, step, length=RANGE, backwards=False, seed=0):
        count = len(weights)

        def pointers(arrays):
            return (ctypes.c_void_p * len(arrays))(*[None if each is None else each.ctypes.data for each in arrays])
        states = [each for own in self.states for each in (own + [None] * STATES)[:STATES]]
        sizes = (ctypes.c_int64 * count)(*[each.size for each in weights])
        rows = (ctypes.c_int64 * count)(*[each.shape[0] for each in weights])
        names = (ctypes.c_char_p * count)(*[name.encode() for name in self.shapes])
        lr_mults = (ctypes.c_double * count)(*[LR_MULT.get(name, 1.0) for name in self.shapes])
        wd_mults = (ctypes.c_double * count)(*self.wd_mults)
        shim.shim_update(self.own, count, names, pointers(weights), pointers(gradients), pointers(states), sizes, rows,
                         lr_mults, wd_mults, ctypes.c_int64(step), ctypes.c_int64(length), ctypes.c_int32(backwards),
                         ctypes.c_uint64(seed))

    def close(self):
        shim.shim_release(self.own)


def shapes_of(text):
    return MATRICES if text.startswith("groupadagrad") else SHAPES


def run_compiled(text, steps=5, **cut):
    shapes = shapes_of(text)
    made = Compiled(text, shapes)
    weights = [drawn(shape, place, 0) for place, shape in enumerate(shapes.values())]
    for step in range(1, steps + 1):
        made.set("learning_rate", LEARNING_RATES[step - 1])
        made.update(weights, [drawn(shape, place, step) for place, shape in enumerate(shapes.values())], step, **cut)
    made.close()
    return weights, made.states


def run_python(text, steps=5):
    shapes = shapes_of(text)
    made = symc.optimizer.create(text.split(",")[0], param_idx2name=dict(enumerate(shapes)), **options_of(text))
    made.set_lr_mult(LR_MULT)
    made.set_wd_mult({name: value for name, value in WD_MULT.items() if name in shapes})
    update = symc.optimizer.get_updater(made)
    symc.optimizer._compiled_updates.update = lambda *_: False  # which would be the runtime's
    weights = [symc.nd.array(drawn(shape, place, 0)) for place, shape in enumerate(shapes.values())]
    for step in range(1, steps + 1):
        made.set_learning_rate(LEARNING_RATES[step - 1])
        update(list(range(len(shapes))), [symc.nd.array(drawn(shape, place, step))
                                          for place, shape in enumerate(shapes.values())], weights)
    states = []
    for place in range(len(shapes)):
        state = update.states[place]
        flat = [] if state is None else [state] if not isinstance(state, (list, tuple)) else state
        states.append([np.asarray(each) for each in flat if each is not None])
    return [np.asarray(each) for each in weights], states


class Updates(unittest.TestCase):
    def compare(self, what, mine, theirs, exact):
        if exact:
            self.assertEqual(int((mine.view(np.uint32) != theirs.view(np.uint32)).sum()), 0, what)
        else:
            np.testing.assert_allclose(mine, theirs, rtol=1e-6, atol=1e-6 * max(float(np.abs(theirs).max()), 1e-30),
                                       err_msg=what)

    def test_five_updates(self):
        for text in CASES:
            with self.subTest(text):
                exact = not text.startswith(ROUNDED)
                shapes = shapes_of(text)
                weights, states = run_compiled(text)
                answers, answer_states = run_python(text)
                for place, name in enumerate(shapes):
                    mine, theirs = weights[place], answers[place]
                    self.assertTrue((mine != drawn(shapes[name], place, 0)).any(), name)
                    self.compare(name, mine, theirs, exact)
                    self.assertGreaterEqual(len(states[place]), len(answer_states[place]))
                    for mine, theirs in zip(states[place], answer_states[place]):
                        if mine.shape != theirs.shape:  # GroupAdaGrad's, one element a row
                            mine = mine.reshape(-1)[:theirs.size].reshape(theirs.shape)
                        self.compare("a state of " + name, mine, theirs, exact)

    def test_every_optimizer_is_compared(self):
        ours = {text.split(",")[0] for text in CASES} | {"sgld", "adamw"}  # which have tests of their own
        theirs = {name for name, each in symc.optimizer.Optimizer.opt_registry.items()
                  if each.__module__.startswith("symc")} - {"test"}
        self.assertEqual(ours - {"adamw"}, theirs)

    def test_bits_do_not_depend_on_ranges(self):
        """Those of optimizers with sums do not depend on the order of ranges."""
        for text in CASES + ["sgld", "adamw,wd=0.1"]:
            with self.subTest(text):
                sums = text.startswith(("lamb", "lars", "lbsgd"))
                one = run_compiled(text)
                other = run_compiled(text, backwards=True, length=RANGE if sums else 13)
                for mine, theirs in zip(one[0] + sum(one[1], []), other[0] + sum(other[1], [])):
                    self.compare(text, mine, theirs, True)

    def test_dcasgd_with_a_momentum(self):  # the class of MXNet, and of symc, has an array for each
        made = Compiled("dcasgd,momentum=0.5,lamda=0.04", {"own_weight": (2,)})
        made.set("learning_rate", 0.1)
        LR_MULT.pop("own_weight")
        weight = np.array([1, 2], np.float32)
        made.update([weight], [np.array([1, 2], np.float32)], 1)
        np.testing.assert_allclose(weight, [0.9, 1.8], rtol=1e-6)
        made.update([weight], [np.array([1, 2], np.float32)], 2)
        step = [-0.1 * (1 + 0.04 * (0.9 - 1)), -0.1 * (2 + 0.04 * 4 * (1.8 - 2))]
        np.testing.assert_allclose(weight, [0.9 - 0.05 + step[0], 1.8 - 0.1 + step[1]], rtol=1e-6)
        np.testing.assert_allclose(made.states[0][1], [0.9, 1.8], rtol=1e-6)
        made.close()
        LR_MULT["own_weight"] = 0.5

    def test_adamw(self):
        """By the formula of MXNet's operator, with eta the rate."""
        for text, corrects in (("adamw,wd=0.1,clip_gradient=0.3", True), ("adamw,wd=0.1,correct_bias=false", False)):
            made = Compiled(text, {"layer_weight": (1000,)})
            one = np.float32
            weight = drawn((1000,), 0, 0)
            w, m, v = weight.copy(), np.zeros(1000, one), np.zeros(1000, one)
            for step in range(1, 6):
                made.set("learning_rate", 0.02)
                grad = drawn((1000,), 0, step)
                made.update([weight], [grad], step)
                grad = np.clip(grad, one(-0.3), one(0.3)) if corrects else grad
                m = one(0.9) * m + (one(1) - one(0.9)) * grad
                v = one(0.999) * v + (one(1) - one(0.999)) * (grad * grad)
                lr = one((1 - 0.999 ** step) ** 0.5 / (1 - 0.9 ** step) if corrects else 1)
                w = w - one(0.02 * 0.5) * (lr * m / (np.sqrt(v) + one(1e-8)) + one(0.1) * w)
            self.compare(text, weight, w, True)
            before = weight.copy()
            made.set("rescale_grad", 0.0)  # of a loss scale that was too high
            made.update([weight], [grad], 6)
            self.compare(text, weight, before, True)
            made.close()

    def test_sgld(self):
        made = Compiled("sgld", {"large_weight": (100, 1000)})
        made.set("learning_rate", 0.04)

        def noise(step, seed):
            weight = np.zeros((100, 1000), np.float32)
            made.update([weight], [np.full((100, 1000), 2, np.float32)], step, seed=seed)
            return weight
        first = noise(1, 3)
        self.assertAlmostEqual(float(first.mean()), -0.04, delta=0.003)
        self.assertAlmostEqual(float(first.std()), 0.2, delta=0.003)
        self.assertTrue((noise(1, 3) == first).all())
        for other in (noise(2, 3), noise(1, 4)):
            self.assertLess(abs(float(np.corrcoef(first.ravel(), other.ravel())[0, 1])), 0.02)
        made.close()


class Texts(unittest.TestCase):
    def test_mistakes(self):
        for text, sentence in (
                ("adm", "optimizer 'adm' is unknown; did you mean 'adam'?"),
                ("quickprop", "optimizer 'quickprop' is unknown; there are sgd, nag, signum"),
                ("sgd,momentun=0.9", "optimizer 'sgd' has no option 'momentun'; did you mean 'momentum'?"),
                ("sgd,momentum", "optimizer 'sgd': expected OPTION=VALUE, got 'momentum'"),
                ("sgd,momentum=1.5", "option 'momentum' of optimizer 'sgd' is '1.5', expected a number from 0 to 1"),
                ("sgd,momentum=x", "option 'momentum' of optimizer 'sgd' is 'x', expected a number from 0 to 1"),
                ("rmsprop,centered=2", "option 'centered' of optimizer 'rmsprop' is '2', expected one of false,true"),
                ("rmsprop,clip_weights=-2", "is '-2', expected a number from 0 to 1e30, or none"),
                ("lbsgd,batch_scale=1.5", "is '1.5', expected a whole number from 1 to 1e6"),
                ("lbsgd,warmup_strategy=fast", "is 'fast', expected one of linear,power2,sqrt,lars"),
                ("adam,lr=1,learning_rate=1", "option 'learning_rate' of optimizer 'adam' is given twice")):
            with self.subTest(text):
                with self.assertRaises(ValueError) as raised:
                    Compiled(text, {})
                self.assertIn(sentence, str(raised.exception))

    def test_parameters_that_are_refused(self):
        for text, shape, decay, sentence in (
                ("groupadagrad", (2,), 0, "optimizer 'groupadagrad' updates matrices, parameter 'x' has shape [2]"),
                ("groupadagrad", (2, 3), 0.5, "optimizer 'groupadagrad' has no weight decay, parameter 'x' has one; "
                                              "__wd_mult__ = 0 leaves it out"),
                ("groupadagrad", (2, 3), 0, ""), ("adagrad", (2,), 0.5, "")):
            made, error = Compiled(text, {}), ctypes.create_string_buffer(256)
            taken = shim.shim_takes(made.own, b"x", (ctypes.c_int64 * len(shape))(*shape), len(shape),
                                    ctypes.c_double(decay), error, ctypes.c_size_t(len(error)))
            self.assertEqual((taken, error.value.decode()), (int(not sentence), sentence))
            made.close()

    def test_options_that_change_nothing(self):
        Compiled("adam,lazy_update=False,multi_precision=True", {}).close()
        with self.assertRaisesRegex(ValueError, "option 'lazy_update' of optimizer 'adam' is 'x', expected one of"):
            Compiled("adam,lazy_update=x", {})

    def test_numbers(self):
        for text in ("1e-4", "0.0001", "1.e-4", "0.1", "123456789012345678901234567890e-30", ".5", "+0.25",
                     "0.30000000000000004", "1e-300", "0.000000000000000000000000000000000000000123456789012345678", "0"):
            made = Compiled("sgd,wd=" + text, {})
            shim.shim_value.restype = ctypes.c_double
            self.assertEqual(shim.shim_value(made.own, b"wd"), float(text), text)
            made.close()
        for text in ("", "e5", ".", "1e", "1e+", "0x1p3", "nan", "inf", "1e999", "1,5", "1 ", "-"):
            with self.assertRaises(ValueError, msg=text):
                Compiled("sgd,wd=" + text, {})


if __name__ == "__main__":
    packages, library = sys.argv[1:3]
    sys.path.insert(0, packages)
    import symc
    shim = ctypes.CDLL(library)
    unittest.main(argv=sys.argv[:1])
