"""Writes Arrow IPC files with pyarrow, for src/formats/data/columnar/arrow.test.ts: python scripts/arrow-fixtures.py (pip install pyarrow)."""

import io
from decimal import Decimal
from pathlib import Path

import pyarrow as pa
import pyarrow.ipc as ipc

FOLDER = Path(__file__).parent.parent / "test" / "fixtures" / "arrow"
LONG = "a text of more than twelve bytes"

TABLE = pa.table(
    {
        "qid": pa.array(["a", "a", "b"], pa.string()),
        "label": pa.array([1, 0, 2], pa.uint8()),
        "large": pa.array(["x", None, LONG], pa.large_string()),
        "view": pa.array(["short", None, LONG], pa.string_view()),
        "bytes": pa.array([b"u", b"v", None], pa.binary()),
        "fixed": pa.array([b"uvw", b"xyz", None], pa.binary(3)),
        "money": pa.array([Decimal("-12.345"), None, Decimal("99999.999")], pa.decimal128(10, 3)),
        "wide": pa.array([Decimal("1e30"), Decimal("-1"), None], pa.decimal256(50, 2)),
        "half": pa.array([0.5, None, -2], pa.float16()),
        "u64": pa.array([2**63, 1, None], pa.uint64()),
        "i16": pa.array([-5, None, 300], pa.int16()),
        "ns": pa.array([1700000000123456789, None, -1], pa.timestamp("ns")),
        "ms": pa.array([86400000, None, 0], pa.date64()),
        "time": pa.array([45000, None, 1], pa.time32("s")),
        "time64": pa.array([45000000001, None, 1], pa.time64("us")),
        "duration": pa.array([1500, None, -1], pa.duration("ms")),
        "category": pa.array(["r", "g", "r"]).dictionary_encode(),
        "number": pa.DictionaryArray.from_arrays(pa.array([1, 0, None], pa.uint16()), pa.array([7.5, 8.5])),
        "vector": pa.array([[1, 2], [], [3]], pa.large_list(pa.int32())),
        "nested": pa.array(
            [[{"x": 1, "y": [5]}], [{"x": 2, "y": None}, {"x": 3, "y": [6, 7]}], None],
            pa.list_(pa.struct([("x", pa.int8()), ("y", pa.list_(pa.float64()))])),
        ),
        "flag": pa.array([True, None, False]),
        "none": pa.nulls(3),
    }
)


def file(batches, schema, new=ipc.new_file, **options):
    stream = io.BytesIO()
    with new(stream, schema, options=ipc.IpcWriteOptions(**options)) as writer:
        for batch in batches:
            writer.write_batch(batch)
    return stream.getvalue()


def of(table, new=ipc.new_file, **options):
    return file(table.to_batches(), table.schema, new, **options)


SCHEMA = pa.schema([("qid", pa.int32()), ("label", pa.int32()), ("c", pa.dictionary(pa.int8(), pa.string()))])


def colors(codes, words):
    rows = [pa.array([1] * len(codes), pa.int32()), pa.array([0] * len(codes), pa.int32())]
    dictionary = pa.DictionaryArray.from_arrays(pa.array(codes, pa.int8()), pa.array(words))
    return pa.record_batch([*rows, dictionary], schema=SCHEMA)


GROWING = [colors([0, 1], ["r", "g"]), colors([2, 0], ["r", "g", "b"])]
REPLACED = [colors([0, 1], ["r", "g"]), colors([0, 1], ["p", "q"])]
MAP = pa.table({"qid": [1], "label": [1], "m": pa.array([[("a", 1)]], pa.map_(pa.string(), pa.int32()))})

FILES = {
    "types.arrow": of(TABLE),
    "types.arrows": of(TABLE, ipc.new_stream),
    "slice.arrow": of(TABLE.slice(1, 2)),
    "legacy.arrows": of(TABLE.drop_columns(["view"]), ipc.new_stream, use_legacy_format=True),
    "growing.arrow": file(GROWING, SCHEMA, emit_dictionary_deltas=True),
    "growing.arrows": file(GROWING, SCHEMA, ipc.new_stream, emit_dictionary_deltas=True),
    "replaced.arrows": file(REPLACED, SCHEMA, ipc.new_stream),
    "compressed.arrow": of(TABLE, compression="lz4"),
    "map.arrow": of(MAP),
}

FOLDER.mkdir(parents=True, exist_ok=True)
for name, content in FILES.items():
    (FOLDER / name).write_bytes(content)
