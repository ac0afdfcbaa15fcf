"""Tests of intake on hostile and broken archives: each is a finding, and honest submissions are not affected."""

import gzip
import io
import os
import random
import resource
import shutil
import struct
import tarfile
import time
import zipfile

from grader.course.intake.fixture import IntakeTest, answer, tar_of, zip_of
from grader.course.intake.limits import Limits
from grader.course.intake.names import safe_parts, shown

SMALL = Limits(source_bytes=10_000, sources=20, depth=3, student_bytes=200_000, student_entries=100)
HONEST = (("s001", "coalescing", "one"), ("s003", "coalescing", "three"))


def tar_with(*infos: tarfile.TarInfo, packing: str = "") -> bytes:
    """A tar of members that have no contents of their own, with an honest answer at its end."""
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w") as archive:
        for info in infos:
            archive.addfile(info)
        data = answer("coalescing", "two").encode()
        info = tarfile.TarInfo("coalescing.cu")
        info.size = len(data)
        archive.addfile(info, io.BytesIO(data))
    return gzip.compress(stream.getvalue()) if packing else stream.getvalue()


def special(name: str, kind: bytes, target: str = "") -> tarfile.TarInfo:
    info = tarfile.TarInfo(name)
    info.type, info.linkname = kind, target
    return info


def zip_with(name: str, data: bytes = b"x", mode: int = 0, **fields) -> bytes:
    """A zip of one strange member and an honest answer. mode: of Unix; fields: of its ZipInfo."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        info = zipfile.ZipInfo(name, (2026, 10, 12, 20, 0, 0))
        info.create_system, info.external_attr = 3, mode << 16
        for field, value in fields.items():
            setattr(info, field, value)
        archive.writestr(info, data)
        archive.writestr("coalescing.cu", answer("coalescing", "two"))
    return stream.getvalue()


class HostileTest(IntakeTest):
    def setUp(self):
        super().setUp()
        self.put("s001/coalescing.cu", answer("coalescing", "one"))
        self.put("s003.zip", zip_of({"coalescing.cu": answer("coalescing", "three")}))

    def take_hostile(self, name: str, data: bytes, limits: Limits = SMALL):
        """Takes in the class with a submission of s002; what s001 and s003 handed in must come out."""
        self.put(name, data)
        intake = self.take(self.roster, limits)
        self.remove(name.split("/")[0])
        honest = [one for one in intake.submissions if one.student != "s002"]
        self.assertEqual(
            [(one.student, self.contents(one)) for one in honest],
            [(student, answer(lab, mark)) for student, lab, mark in HONEST],
        )
        about = {finding.student for finding in intake.all_findings() if finding.code != "no_time"}
        self.assertEqual(about - {"s002"}, set())
        outside = [path for path in self.folder.rglob("*") if path.is_file() and self.source not in path.parents]
        self.assertEqual({path.parent for path in outside}, {self.files})
        return intake

    def remove(self, name: str) -> None:
        path = self.source / name
        shutil.rmtree(path) if path.is_dir() else path.unlink()

    def assert_used(self, intake, mark="two"):
        """The answer of s002 is taken all the same."""
        found = [self.contents(one) for one in intake.submissions if one.student == "s002"]
        self.assertEqual(found, [answer("coalescing", mark)])

    def assert_refused(self, intake, code: str, *parts: str):
        self.assertEqual([one for one in intake.submissions if one.student == "s002"], [])
        self.assert_found(intake, code, *parts, student="s002")
        self.assert_found(intake, "nothing_found", student="s002", severity="error")


class Paths(HostileTest):
    def test_paths_that_lead_out_are_refused_and_the_rest_is_used(self):
        for name, problem in (
            ("../coalescing.cu", "leads out"),
            ("a/../../coalescing.cu", "leads out"),
            ("/etc/coalescing.cu", "absolute"),
            ("..\\..\\coalescing.cu", "leads out"),
            ("C:\\x\\coalescing.cu", "absolute"),
            ("C:coalescing.cu", "absolute"),
            ("\\\\host\\coalescing.cu", "absolute"),
            ("a/" * 60 + "coalescing.cu", "60 folders deep"),
            ("x" * 2000 + ".cu", "2003 characters"),
        ):
            for packed in (zip_of, tar_of):
                with self.subTest(name[:40], packed=packed.__name__):
                    suffix = "zip" if packed is zip_of else "tar.gz"
                    members = {name: answer("coalescing", "evil"), "coalescing.cu": answer("coalescing", "two")}
                    intake = self.take_hostile(f"s002.{suffix}", packed(members))
                    self.assert_used(intake)
                    self.assert_found(intake, "unsafe_path", problem, student="s002", severity="suspicion")

    def test_a_nul_in_a_name(self):
        data = zip_of({"coalescing.cuXevil": "evil", "x/coalescing.cu": answer("coalescing", "two")})
        intake = self.take_hostile("s002.zip", data.replace(b"coalescing.cuXevil", b"coalescing.cu\0evil"))
        self.assert_used(intake)
        self.assert_found(intake, "unsafe_path", "NUL", "\\x00", student="s002")

    def test_safe_paths(self):
        self.assertEqual(safe_parts("./a//b\\c.cu"), (("a", "b", "c.cu"), ""))
        self.assertEqual(safe_parts("..."), (("...",), ""))
        self.assertEqual(safe_parts("/"), ((), "has an absolute path"))
        self.assertEqual(safe_parts("."), ((), ""))

    def test_links_are_not_followed(self):
        secret = self.source / "s001" / "coalescing.cu"
        hard = special("main.cu", tarfile.LNKTYPE, "coalescing.cu")
        soft = special("main.cu", tarfile.SYMTYPE, str(secret))
        for name, data in (
            ("s002.tar", tar_with(hard)),
            ("s002.tar", tar_with(soft)),
            ("s002.zip", zip_with("main.cu", str(secret).encode(), 0o120777)),
        ):
            intake = self.take_hostile(name, data)
            self.assert_used(intake)
            self.assert_found(intake, "link", "main.cu", student="s002", severity="suspicion")
        (self.source / "s002").mkdir()
        os.symlink(secret, self.source / "s002" / "coalescing.cu")
        os.symlink("/", self.source / "s002" / "folder")
        self.assert_refused(self.take_hostile("s002/x.md", b""), "link", "coalescing.cu, folder")

    def test_devices_and_pipes_are_never_opened(self):
        kinds = (tarfile.CHRTYPE, tarfile.BLKTYPE, tarfile.FIFOTYPE)
        intake = self.take_hostile(
            "s002.tar.gz", tar_with(*(special(f"d{i}.cu", kind) for i, kind in enumerate(kinds)), packing="gz")
        )
        self.assert_used(intake)
        self.assert_found(intake, "device", "d0.cu, d1.cu, d2.cu", student="s002", severity="suspicion")
        (self.source / "s002").mkdir()
        os.mkfifo(self.source / "s002" / "coalescing.cu")
        intake = self.take_hostile("s002/main.cu", answer("coalescing", "two").encode())
        self.assert_used(intake)
        self.assert_found(intake, "device", "coalescing.cu", student="s002")

    def test_names_in_other_encodings_do_not_cost_the_answer(self):
        data = zip_of({"PrXfung/coalescing.cu": answer("coalescing", "two")}).replace(b"PrXfung", b"Pr\x81fung")
        intake = self.take_hostile("s002.zip", data)
        self.assert_used(intake)
        info = tarfile.TarInfo("caf\udce9.cu")
        intake = self.take_hostile("s002.tar", tar_with(info))
        self.assert_used(intake)
        self.assert_found(intake, "name_encoding", "caf\\udce9.cu", student="s002")
        folder = os.fsencode(self.source) + b"/s002"
        os.mkdir(folder)
        with open(folder + b"/\xff\xfe coalescing.cu", "w") as file:
            file.write(answer("coalescing", "two"))
        self.assert_used(self.take_hostile("s002/note.md", b"x"))

    def test_a_zip_without_the_mark_for_utf_8_is_read_as_utf_8(self):
        data = bytearray(zip_of({"Größe.md": "", "coalescing.cu": answer("coalescing", "two")}))
        for signature, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
            at = data.find(signature)
            data[at + offset + 1] &= ~0x08
        intake = self.take_hostile("s002.zip", bytes(data))
        self.assert_used(intake)
        self.assert_found(intake, "extra_files", "Größe.md")

    def test_names_that_would_disturb_a_terminal_are_escaped(self):
        self.assertEqual(shown("a\x1b[31m\n\u202eb\udcff é"), "a\\x1b[31m\\n\\u202eb\\udcff é")
        intake = self.take_hostile(
            "s002.zip", zip_of({"\x1b[2J.pdf": "", "coalescing.cu": answer("coalescing", "two")})
        )
        self.assertFalse([one for one in intake.all_findings() if not (one.path + one.message).isprintable()])

    def test_a_name_that_comes_twice_means_the_last(self):
        data = zip_of({"coalescing.cu": answer("coalescing", "xyz"), "coalescing.cv": answer("coalescing", "two")})
        intake = self.take_hostile("s002.zip", data.replace(b"coalescing.cv", b"coalescing.cu"))
        self.assert_used(intake)
        self.assert_found(intake, "duplicate_name", "coalescing.cu", student="s002", severity="note")


class Bombs(HostileTest):
    def test_more_bytes_than_allowed(self):
        for name, data in (
            ("s002.zip", zip_of({"zeros.bin": bytes(300_000), "coalescing.cu": answer("coalescing", "two")})),
            ("s002.tar.gz", tar_of({"zeros.bin": bytes(300_000), "coalescing.cu": answer("coalescing", "two")})),
            ("s002.tar.bz2", tar_of({"zeros.bin": bytes(300_000)}, packing="bz2")),
        ):
            with self.subTest(name):
                self.assert_refused(self.take_hostile(name, data), "too_large", "more than 200000 bytes")

    def test_a_tar_of_gigabytes_of_nothing_ends_early_and_takes_little_memory(self):
        stream = io.BytesIO()
        with gzip.GzipFile(fileobj=stream, mode="w", compresslevel=1) as file:
            for _ in range(600):
                file.write(bytes(2**20))
        self.put("s002.tar.gz", stream.getvalue())
        before, start = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, time.process_time()
        intake = self.take(self.roster)
        self.assert_refused(intake, "too_large", "more than 268435456 bytes")
        self.assertLess(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before, 100_000)  # KiB
        self.assertLess(time.process_time() - start, 60)

    def test_archives_inside_each_other(self):
        data = zip_of({"coalescing.cu": answer("coalescing", "two")})
        for depth in range(1, 6):
            intake = self.take_hostile("s002.zip", data)
            if depth <= 3:
                self.assert_used(intake)
            else:
                self.assert_refused(intake, "too_deep", "3 archives inside each other")
            data = zip_of({f"level{depth}.zip": data})

    def test_all_archives_of_a_submission_share_its_limits(self):
        inner = zip_of({f"{i}.md": os.urandom(1000) for i in range(40)})
        intake = self.take_hostile(
            "s002.zip", zip_of({f"{i}.zip": inner for i in range(5)} | {"coalescing.cu": answer("coalescing", "two")})
        )
        self.assert_found(intake, "too_many_entries", "more than 100 entries", student="s002")
        for i in range(5):
            self.put(f"s002/{i}.zip", zip_of({"x.zip": zip_of({"data.bin": os.urandom(60_000)})}))
        self.assert_found(self.take_hostile("s002/a.md", b""), "too_large", student="s002")

    def test_more_entries_than_allowed(self):
        many = {f"f{i}/x": "" for i in range(101)} | {"coalescing.cu": answer("coalescing", "two")}
        for name, data in (("s002.zip", zip_of(many)), ("s002.tar.gz", tar_of(many))):
            self.assert_refused(self.take_hostile(name, data), "too_many_entries", "more than 100 entries")

    def test_a_million_entries_are_counted_before_they_are_read(self):
        entry = (
            struct.pack("<4sHHHHHHIIIHHHHHII", b"PK\x01\x02", 20, 20, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0) + b"a"
        )
        directory = entry * 600_000
        end = struct.pack("<4sHHHHIIH", b"PK\x05\x06", 0, 0, 0xFFFF, 0xFFFF, len(directory), 0, 0)
        start = time.process_time()
        self.assert_refused(self.take_hostile("s002.zip", directory + end), "too_many_entries")
        self.assertLess(time.process_time() - start, 5)

    def test_a_file_that_is_too_large(self):
        big = answer("coalescing", "x" * 20_000)
        for name, data in (("s002/coalescing.cu", big.encode()), ("s002.zip", zip_of({"coalescing.cu": big}))):
            self.assert_refused(self.take_hostile(name, data), "too_large", "at most 10000 are read")

    def test_a_member_that_is_larger_than_its_archive_says(self):
        big = answer("coalescing", "x" * 20_000)
        data = bytearray(zip_of({"coalescing.cu": big}))
        at = data.find(b"PK\x01\x02")
        data[at + 24 : at + 28] = struct.pack("<I", 100)
        intake = self.take_hostile("s002.zip", bytes(data))
        self.assertEqual([one for one in intake.submissions if one.student == "s002"], [])
        self.assertTrue(self.codes(intake) & {"too_large", "broken_file"})

    def test_more_sources_than_allowed(self):
        for i in range(30):
            self.put(f"s002/part{i:02}.cu", "int x;")
        intake = self.take_hostile("s002/zz_coalescing.cu", answer("coalescing", "two").encode())
        self.assert_refused(intake, "too_many_sources", "more than 20 sources")

    def test_text_made_to_slow_down_the_search_for_functions(self):
        for text in (
            "a(" * 500_000,
            "/*" * 500_000,
            '"' * 999_999,
            "transpose " * 100_000 + "(",
            "'\\" * 499_999,
            "void transpose(" + " " * 900_000,
            "(" * 999_999,
            "{" * 999_999,
            ")" * 999_999,
            "#" * 999_999,
            '#include "' + "/" * 900_000,
            " \t" * 499_000,
        ):
            with self.subTest(text[:10]):
                start = time.process_time()
                self.put("s002/main.cu", text)
                self.take(self.roster)
                self.assertLess(time.process_time() - start, 5)

    def test_names_made_to_slow_down_the_search_for_labs(self):
        start = time.process_time()
        self.take_hostile("s002.zip", zip_of({("a_" * 450 + f"{i}.cu"): "" for i in range(90)}))
        self.assertLess(time.process_time() - start, 10)

    def test_thousands_of_strange_entries_are_few_findings(self):
        infos = [special(f"{i % 500}/l{i}", tarfile.SYMTYPE, "/") for i in range(5000)]
        self.put("s002.tar", tar_with(*infos))
        intake = self.take(self.roster)
        self.assert_used(intake)
        self.assert_found(intake, "more_findings", "300 more folders", student="s002")
        self.assertLess(len(intake.all_findings()), 210)


class Broken(HostileTest):
    def test_what_is_no_archive(self):
        for name, data, words in (
            ("s002.zip", b"", "it is empty"),
            ("s002.zip", b"hello", "68 65 6c 6c"),
            ("s002.tar.gz", b"not gzip", "neither zip nor tar"),
            ("s002.tar", b"x" * 1024, "is broken"),
            ("s002.tar.gz", b"\x1f\x8b\x08", "is broken"),
            ("s002.zip", b"PK\x03\x04" + b"\0" * 100, "is broken"),
        ):
            with self.subTest(name, data=data[:8]):
                self.assert_refused(self.take_hostile(name, data), "broken_archive", words)

    def test_archives_of_other_kinds(self):
        for suffix in ("rar", "7z", "tar.xz", "gz", "tar.zst"):
            self.assert_refused(self.take_hostile(f"s002.{suffix}", b"x"), "unknown_archive", "ask for .zip or .tar.gz")

    def test_an_archive_with_the_name_of_another_kind_is_read(self):
        members = {"coalescing.cu": answer("coalescing", "two")}
        for name, data in (
            ("s002.zip", tar_of(members)),
            ("s002.tar.gz", zip_of(members)),
            ("s002.tgz", tar_of(members, packing="")),
        ):
            self.assert_used(self.take_hostile(name, data))

    def test_a_password(self):
        data = bytearray(zip_of({"coalescing.cu": answer("coalescing", "two")}))
        for signature, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
            data[data.find(signature) + offset] |= 1
        self.assert_refused(self.take_hostile("s002.zip", bytes(data)), "encrypted", "ask for an archive without")

    def test_contents_that_do_not_fit_their_checksum(self):
        data = bytearray(zip_of({"coalescing.cu": answer("coalescing", "two")}))
        at = data.find(b"PK\x01\x02")
        data[at + 16] ^= 0xFF
        self.assert_refused(self.take_hostile("s002.zip", bytes(data)), "broken_file", "CRC")

    def test_a_cut_off_archive(self):
        for name, whole in (
            ("s002.zip", zip_of({"coalescing.cu": answer("coalescing", "two")})),
            ("s002.tar.gz", tar_of({"coalescing.cu": answer("coalescing", "two")})),
            ("s002.tar", tar_of({"coalescing.cu": answer("coalescing", "two")}, packing="")),
        ):
            for cut in range(0, min(len(whole), 600), 37):
                intake = self.take_hostile(name, whole[:cut])
                self.assertTrue(self.codes(intake) & {"broken_archive", "broken_file"}, (name, cut))

    def test_a_tar_that_is_broken_in_the_middle_says_so(self):
        data = bytearray(
            tar_of({"coalescing.cu": answer("coalescing", "two"), "reduction.cu": answer("reduction")}, packing="")
        )
        data[data.find(b"reduction.cu")] ^= 0x55
        intake = self.take_hostile("s002.tar", bytes(data))
        self.assert_used(intake)
        self.assert_found(intake, "broken_archive", "after some entries", student="s002", severity="error")

    def test_a_tar_whose_members_overlap_or_go_backwards(self):
        for size in (-512, -1024, -(2**40), 2**60):
            info = tarfile.TarInfo("x.cu")
            info.size = max(size, 0)
            header = bytearray(info.tobuf(tarfile.GNU_FORMAT))
            if size < 0:
                header[124:136] = b"\xff" + (256**11 + size).to_bytes(11, "big")
                header[148:156] = b"        "
                header[148:156] = f"{sum(header):06o}\0 ".encode()
            with self.subTest(size):
                intake = self.take_hostile("s002.tar", bytes(header) * 3 + tar_of({"a": "b"}, packing=""))
                self.assertTrue(self.codes(intake) & {"broken_archive", "too_large"})

    def test_headers_that_follow_each_other_without_end(self):
        for kind in (tarfile.GNUTYPE_LONGNAME, tarfile.XHDTYPE):
            info = tarfile.TarInfo("x")
            info.type, info.size = kind, 0
            intake = self.take_hostile("s002.tar", info.tobuf(tarfile.GNU_FORMAT) * 300)
            self.assert_refused(intake, "broken_archive")

    def test_no_damage_to_an_archive_ends_the_run(self):
        random_ = random.Random(11)
        members = {
            "coalescing.cu": answer("coalescing", "two"),
            "a/b.zip": zip_of({"reduction.cu": answer("reduction")}),
            "c/x.md": "x",
        }
        wholes = [
            ("s002.zip", zip_of(members)),
            ("s002.tar.gz", tar_of(members)),
            ("s002.tar", tar_of(members, packing="")),
        ]
        for round_ in range(300):
            name, whole = wholes[round_ % 3]
            data = bytearray(whole)
            for _ in range(random_.randint(1, 8)):
                at = random_.randrange(len(data))
                match random_.randrange(4):
                    case 0:
                        data[at] = random_.randrange(256)
                    case 1:
                        data[at : at + random_.randint(1, 40)] = b""
                    case 2:
                        data[at:at] = random_.randbytes(random_.randint(1, 40))
                    case 3:
                        data[at : at + 4] = b"\xff\xff\xff\xff"
                if not data:
                    data = bytearray(b"x")
            with self.subTest(round=round_):
                self.take_hostile(name, bytes(data))

    def test_a_damaged_gzip_of_a_damaged_tar(self):
        random_ = random.Random(12)
        for round_ in range(100):
            data = bytearray(tar_of({"coalescing.cu": answer("coalescing", "two"), "d/e.cu": "x" * 900}, packing=""))
            for _ in range(random_.randint(1, 4)):
                data[random_.randrange(1024)] = random_.randrange(256)
            with self.subTest(round=round_):
                self.take_hostile("s002.tar.gz", gzip.compress(bytes(data)))


class Folders(HostileTest):
    def test_a_folder_that_is_too_deep(self):
        path = self.source / "s002"
        for _ in range(60):
            path = path / "d"
        path.mkdir(parents=True)
        (path / "coalescing.cu").write_text("x")
        intake = self.take_hostile("s002/main.cu", answer("coalescing", "two").encode())
        self.assert_used(intake)
        self.assert_found(intake, "unsafe_path", "too deep", student="s002")

    def test_contents_that_are_no_text_are_taken_as_they_are(self):
        for data, words in (
            (b"\x7fELF\2\1\1" + bytes(200) + answer("coalescing", "two").encode(), "is not text, but a program"),
            (answer("coalescing", "Gr\xf6\xdfe").encode("latin-1"), "bytes that are not UTF-8"),
        ):
            intake = self.take_hostile("s002/coalescing.cu", data)
            self.assertEqual([one.path.read_bytes() for one in intake.submissions if one.student == "s002"], [data])
            self.assert_found(intake, "not_text", words, student="s002", severity="note")

    def test_more_files_than_a_class_can_have(self):
        for i in range(30):
            self.put(f"s002/{i}.md", "")
        from grader.course.intake.intake import IntakeError

        with self.assertRaisesRegex(IntakeError, "more than 20 files"):
            self.take(self.roster, Limits(class_entries=20))


if __name__ == "__main__":
    import unittest

    unittest.main()
