"""Files from strangers, files that are no files, and saves that are cut short."""

import io
import json
import os
import signal
import subprocess
import sys
import threading
import time
import tracemalloc
from pathlib import Path

import numpy as np
import pytest
from carried import NEW, fitted

from sparsebayes import ModelFileError, load
from sparsebayes.cli.command import _text
from sparsebayes.model.container import pack, unpack
from sparsebayes.model.files import from_bytes, to_bytes
from sparsebayes.model.writing import write_whole

MOST_BYTES = 3e8
posix = pytest.mark.skipif(os.name != "posix", reason="files of POSIX")


def parts(name="default"):
    """The texts and the arrays of a file."""
    return unpack(to_bytes(fitted(name).to_portable()))


def peak(function, *arguments):
    """The largest memory that a call takes, in bytes, and what it gives or raises."""
    tracemalloc.start()
    try:
        found = function(*arguments)
    except ValueError as error:
        found = error
    taken = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return taken, found


def with_fields(tree, **fields):
    """JSON of a record with other fields."""
    return {**tree, "fields": {**tree["fields"], **fields}}


def wide_roots(width, n_roots=1):
    """A file of few bytes whose model has no columns, and square roots of so many columns."""
    texts, arrays = parts("linear")
    model = json.loads(texts["model"])
    number = len(arrays)
    arrays = [*arrays, np.zeros((0, 1)), np.zeros((0, width)), np.zeros(1, dtype=int), np.ones(1)]
    spread = with_fields(
        model["fields"]["plain"]["fields"]["spread"],
        roots={"tuple": [{"array": number + 1}] * n_roots},
        process={"array": number + 2},
        factor={"array": number + 3},
    )
    plain = with_fields(
        model["fields"]["plain"],
        columns={"tuple": []},
        weights={"array": number},
        spread=spread,
    )
    texts["model"] = json.dumps(with_fields(model, plain=plain))
    texts.pop("estimator")
    return pack(texts, arrays)


@pytest.mark.parametrize(("width", "n_roots"), [(900_000_000, 1), (2_000_000, 3_000), (9_000, 1)])
def test_a_small_file_with_wide_roots_takes_no_large_memory_to_predict(width, n_roots):
    data = wide_roots(width, n_roots)

    def predicted():
        return from_bytes(data).predict(NEW, return_std=True)

    taken, found = peak(predicted)
    assert isinstance(found, ModelFileError) == (width > 9_000)
    assert taken < MOST_BYTES


def test_texts_of_many_arrays_take_no_large_memory_in_sum():
    texts, arrays = parts()
    model = json.loads(texts["model"])
    items = {"items": ["a" * 10_000] + [""] * 9_999, "dtype": "U", "shape": [10_000]}
    about = {"mapping": [[f"k{k}", items] for k in range(10)]}
    face = with_fields(model["fields"]["face"], about=about)
    data = pack({**texts, "model": json.dumps(with_fields(model, face=face))}, arrays)
    assert len(data) < 10**6
    taken, found = peak(from_bytes, data)
    assert isinstance(found, ModelFileError)
    assert "too much memory" in str(found)
    assert taken < MOST_BYTES


def test_quadrature_of_many_classes_takes_no_large_memory():
    """Nodes, and latent values without columns, are a few bytes each; their product is not."""
    texts, arrays = parts("each class")
    model, number, k = json.loads(texts["model"]), len(arrays), 20_000
    nodes = np.zeros(20_000)
    arrays = [
        *arrays,
        np.zeros((0, k)),
        np.zeros((0, 0)),
        np.zeros(k, dtype=int),
        np.ones(k),
        nodes,
    ]
    plain = model["fields"]["plain"]["fields"]
    model["fields"]["plain"]["fields"] = {
        "columns": {"tuple": []},
        "weights": {"array": number},
        "spread": with_fields(
            {**plain["spread"], "fields": {}},
            roots={"tuple": [{"array": number + 1}]},
            process={"array": number + 2},
            factor={"array": number + 3},
        ),
    }
    quadrature = model["fields"]["response"]["fields"]["quadrature"]["fields"]
    quadrature.update(nodes={"array": number + 4}, shares={"array": number + 4})
    model["fields"]["classes_"] = {"array": number + 2}
    texts.pop("estimator")
    taken, found = peak(from_bytes, pack({**texts, "model": json.dumps(model)}, arrays))
    assert isinstance(found, ModelFileError)
    assert "more memory than the file allows" in str(found)
    assert taken < MOST_BYTES


def test_inputs_that_nothing_holds_are_refused():
    texts, arrays = parts("linear")
    assert '"n_features": 2' in texts["model"]
    many = texts["model"].replace('"n_features": 2', '"n_features": 900000000000')
    with pytest.raises(ModelFileError):
        from_bytes(pack({**texts, "model": many}, arrays))


@pytest.mark.parametrize("version", ["²", "9" * 5000, "٣", "", "-1", "1.5", "1" * 20])
def test_every_version_is_told_from_ours(version):
    texts, arrays = parts()
    with pytest.raises(ModelFileError, match="reads 1 to 1") as caught:
        from_bytes(pack({**texts, "version": version}, arrays))
    assert ("newer" in str(caught.value)) == (version in ("9" * 5000, "1" * 20))
    assert len(str(caught.value)) < 300


def test_a_fact_that_cannot_be_printed_is_refused():
    texts, arrays = parts()
    model = json.loads(texts["model"])
    about = {"mapping": [["log_evidence", 10**400]]}
    face = with_fields(model["fields"]["face"], about=about)
    with pytest.raises(ModelFileError, match="a fact that is a number is none"):
        from_bytes(pack({**texts, "model": json.dumps(with_fields(model, face=face))}, arrays))


# What is opened.


@posix
@pytest.mark.parametrize("device", ["/dev/zero", "/dev/null"])
def test_a_device_is_no_model(device):
    with pytest.raises(ModelFileError, match=f"^{device} is no model .* it is a device"):
        load(device)


@posix
def test_a_pipe_without_a_writer_is_not_waited_for(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    done = []

    def read():
        with pytest.raises(ModelFileError, match="pipe is no model"):
            load(tmp_path / "pipe")
        done.append(True)

    thread = threading.Thread(target=read, daemon=True)
    thread.start()
    thread.join(5)
    assert done


@posix
def test_a_pipe_with_a_writer_is_read():
    data = to_bytes(fitted("default").to_portable())
    end, start = os.pipe()

    def write():
        time.sleep(0.2)
        with os.fdopen(start, "wb") as file:
            file.write(data)

    thread = threading.Thread(target=write)
    thread.start()
    found = load(f"/dev/fd/{end}")
    thread.join()
    os.close(end)
    np.testing.assert_array_equal(found.predict(NEW), from_bytes(data).predict(NEW))


@posix
def test_a_hole_and_a_folder_are_no_models(tmp_path):
    with open(tmp_path / "hole.sbm", "wb") as file:
        file.truncate(10**11)
    taken, found = peak(load, tmp_path / "hole.sbm")
    assert isinstance(found, ModelFileError)
    with open(tmp_path / "hole.sbm", "r+b") as file:  # a header of half of it
        file.write((5 * 10**10).to_bytes(8, "little") + b"{")
    more, found = peak(load, tmp_path / "hole.sbm")
    assert isinstance(found, ModelFileError)
    assert max(taken, more) < 10**7
    with pytest.raises(IsADirectoryError):
        load(tmp_path)


class Endless(io.RawIOBase):
    """A file that always has more, in pieces of another size than was asked for."""

    def __init__(self, start, more):
        super().__init__()
        self.start, self.more, self.given = start, more, 0

    def read(self, size=-1):
        assert size > 0
        piece = (self.start or self.more * size)[: min(size, 1000)]
        self.start, self.given = self.start[len(piece) :], self.given + len(piece)
        return piece


@pytest.mark.parametrize("more", [b"\0", b"{", b"\xff"])
def test_an_endless_file_is_left_soon(more):
    file = Endless(b"", more)
    with pytest.raises(ModelFileError):
        load(file)
    assert file.given < 10**4


def test_a_file_in_pieces_is_read_and_what_follows_a_model_is_damage():
    data = to_bytes(fitted("default").to_portable())
    with pytest.raises(ModelFileError, match="it should have"):
        load(Endless(data, b"x"))
    found = load(Endless(data, b""))
    np.testing.assert_array_equal(found.predict(NEW), from_bytes(data).predict(NEW))
    for bad in (data + b"x", data[:-1]):
        with pytest.raises(ModelFileError, match=f"should have {len(data)}"):
            from_bytes(bad)


def test_an_error_names_the_whole_path(tmp_path):
    (tmp_path / "c.sbm").write_bytes(b"something")
    for path in (tmp_path / "c.sbm", str(tmp_path / "c.sbm")):
        with pytest.raises(ModelFileError) as caught:
            load(path)
        assert str(caught.value).startswith(f"{tmp_path / 'c.sbm'} is no model")
    with pytest.raises(ModelFileError, match=r"^the file is no model"):
        load(io.BytesIO(b"something"))


def test_too_little_memory_says_what_to_do():
    assert _text(MemoryError()) == "there is not enough memory: take fewer rows."
    assert "for an array" in _text(MemoryError("for an array"))


# What is written.


@posix
def test_a_loop_of_links_is_an_error_of_the_path(tmp_path):
    (tmp_path / "a.sbm").symlink_to(tmp_path / "b.sbm")
    (tmp_path / "b.sbm").symlink_to(tmp_path / "a.sbm")
    with pytest.raises(OSError, match="lead back"):
        fitted("default").save(tmp_path / "a.sbm")
    assert (tmp_path / "a.sbm").is_symlink()


@posix
def test_a_file_that_may_not_be_written_stays(tmp_path, monkeypatch):
    path = tmp_path / "model.sbm"
    path.write_bytes(b"old")
    monkeypatch.setattr(os, "access", lambda *_: False)  # root may write everything
    with pytest.raises(PermissionError, match="may not be written"):
        fitted("default").save(path)
    assert path.read_bytes() == b"old"


WRITE = """
import sys
from pathlib import Path
from sparsebayes.model.writing import write_whole
print("before")
write_whole(Path(sys.argv[1]), b"model\\n")
print("after")
"""


@posix
@pytest.mark.slow
@pytest.mark.parametrize("path", ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"])
def test_what_is_open_is_written_to(path, tmp_path):
    command = [sys.executable, "-c", WRITE, path]
    expected = b"before\nmodel\nafter\n"
    assert subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout == expected
    with open(tmp_path / "out", "ab") as file:
        file.write(b"earlier\n")
        file.flush()
        subprocess.run(command, stdout=file, check=True)
    assert (tmp_path / "out").read_bytes() == b"earlier\n" + expected


KILLED = """
import os, signal, sys
from pathlib import Path
from sparsebayes.model.writing import write_whole
os.fsync = lambda _: os.kill(os.getpid(), signal.SIGKILL)
write_whole(Path(sys.argv[1]), b"new" * 10**6)
"""


@posix
@pytest.mark.skipif(not hasattr(os, "O_TMPFILE"), reason="files without a name")
def test_a_save_that_is_killed_leaves_nothing_beside_the_old_file(tmp_path):
    path = tmp_path / "model.sbm"
    path.write_bytes(b"old")
    done = subprocess.run([sys.executable, "-c", KILLED, str(path)], check=False)
    assert done.returncode == -signal.SIGKILL
    assert os.listdir(tmp_path) == ["model.sbm"]
    assert path.read_bytes() == b"old"


def test_where_there_are_no_files_without_a_name_a_save_is_whole_too(tmp_path, monkeypatch):
    monkeypatch.delattr(os, "O_TMPFILE", raising=False)
    path = Path(tmp_path / "model.sbm")
    for data in (b"first", b"second"):
        write_whole(path, data)
        assert path.read_bytes() == data
    monkeypatch.setattr(os, "fsync", lambda _: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        write_whole(path, b"third")
    assert path.read_bytes() == b"second"
    assert os.listdir(tmp_path) == ["model.sbm"]
