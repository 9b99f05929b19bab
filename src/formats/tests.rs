//! The door for bytes, tried with files made here: packed, cut, swollen, locked and misnamed ones.

use std::fs::File;
use std::io::{Cursor, Write as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use flate2::Compression;
use flate2::write::GzEncoder;
use ruzstd::encoding::{CompressionLevel, compress_to_vec};
use zip::write::SimpleFileOptions;

use crate::base::Cancelled;

use super::sniff::Content;
use super::source::{Limits, Opened, Source, open, open_with};
use super::source_error::{NoteKind, SourceError, WhyIgnored};

struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn file(&self, name: &str, bytes: &[u8]) -> PathBuf {
        let path = self.0.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        path
    }

    fn open(&self, name: &str, bytes: &[u8]) -> Result<Opened, SourceError> {
        open(&self.file(name, bytes), &|_| Ok(()))
    }

    fn only(&self, name: &str, bytes: &[u8]) -> Source {
        let mut opened = self.open(name, bytes).unwrap();
        assert_eq!((opened.sources.len(), opened.ignored.len()), (1, 0));
        opened.sources.pop().unwrap()
    }
}

fn gz(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn zst(bytes: &[u8]) -> Vec<u8> {
    compress_to_vec(bytes, CompressionLevel::Fastest)
}

fn zip_of(members: &[(&str, &[u8])]) -> Vec<u8> {
    let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in members {
        writer
            .start_file(*name, SimpleFileOptions::default())
            .unwrap();
        writer.write_all(bytes).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

fn tar_of(members: &[(&str, &[u8])]) -> Vec<u8> {
    let mut builder = tar::Builder::new(Vec::new());
    for (name, bytes) in members {
        let mut header = tar::Header::new_ustar();
        header.set_size(bytes.len() as u64);
        // Written by hand: the library refuses to make unsafe names.
        header.as_old_mut().name[..name.len()].copy_from_slice(name.as_bytes());
        header.set_cksum();
        builder.append(&header, *bytes).unwrap();
    }
    builder.into_inner().unwrap()
}

/// Text that does not pack to nothing.
fn events(bytes: usize) -> Vec<u8> {
    let mut text = b"{\"traceEvents\":[".to_vec();
    let mut state = 1_u32;
    while text.len() < bytes {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        text.extend_from_slice(format!("{{\"ts\":{state},\"ph\":\"X\"}},\n").as_bytes());
    }
    text
}

#[test]
fn a_plain_file_is_given_as_it_is() {
    let source = Folder::new().only("a.json.gz", b"\n{\"a\":1}");
    assert_eq!(source.bytes(), b"\n{\"a\":1}");
    assert_eq!(
        (source.name().as_str(), source.input_bytes()),
        ("a.json.gz", 8)
    );
    assert_eq!(
        (source.inflated_bytes(), source.gzip_members()),
        (None, None)
    );
    assert_eq!(source.content(), Content::Json);
    source.check_unchanged().unwrap();
}

#[test]
fn all_members_of_a_gzip_file_are_joined() {
    let mut packed = gz(b"{\"a\":");
    packed.extend(gz(b""));
    packed.extend(gz(b"1}"));
    let clean = Folder::new().only("a.json", &packed);
    assert_eq!(clean.bytes(), b"{\"a\":1}");
    assert_eq!(
        (clean.gzip_members(), clean.inflated_bytes()),
        (Some(3), Some(7))
    );
    packed.extend([0; 1000]);
    let padded = Folder::new().only("a.json", &packed);
    assert!(padded.bytes() == b"{\"a\":1}" && padded.notes().is_empty());
    packed.extend(b"rubbish");
    let littered = Folder::new().only("a.json", &packed);
    assert_eq!(littered.bytes(), b"{\"a\":1}");
    assert_eq!(littered.notes()[0].kind, NoteKind::TrailingBytes);
    assert_eq!(littered.notes()[0].at, packed.len() as u64 - 7);
}

#[test]
fn a_cut_gzip_file_keeps_what_came_out() {
    let (plain, folder) = (events(300_000), Folder::new());
    let packed = gz(&plain);
    for cut in [packed.len() - 3, packed.len() / 2, packed.len() / 10, 1000] {
        let source = folder.only("cut.json.gz", &packed[..cut]);
        assert!(plain.starts_with(source.bytes()) && !source.bytes().is_empty());
        assert_eq!(source.notes().len(), 1);
        let note = source.notes()[0];
        assert_eq!((note.kind, note.at), (NoteKind::TruncatedGzip, cut as u64));
    }
    let stub = folder.open("stub.gz", &packed[..8]).unwrap_err();
    assert!(
        matches!(stub, SourceError::NothingInside { at: 8, .. }),
        "{stub}"
    );
}

#[test]
fn a_damaged_gzip_file_says_so() {
    let plain = events(300_000);
    let mut packed = gz(&plain);
    let checksum = packed.len() - 6;
    packed[checksum] ^= 1;
    let source = Folder::new().only("a.gz", &packed);
    assert_eq!(source.bytes(), plain);
    assert_eq!(source.notes()[0].kind, NoteKind::DamagedGzip);
}

#[test]
fn zstd_frames_are_joined_and_survive_a_cut() {
    let (plain, folder) = (events(2_000_000), Folder::new());
    let mut packed = zst(&plain[..900_000]);
    packed.extend([0x50, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 9, 9, 9]);
    packed.extend(zst(&plain[900_000..]));
    let source = folder.only("a.json", &packed);
    assert!(source.bytes() == plain && source.notes().is_empty());
    let cut = folder.only("cut.zst", &packed[..packed.len() - 100]);
    assert!(plain.starts_with(cut.bytes()));
    assert!(plain.len() - cut.bytes().len() < 200_000);
    assert_eq!(cut.notes()[0].kind, NoteKind::TruncatedZstd);
}

#[test]
fn archives_give_one_source_for_each_trace() {
    let folder = Folder::new();
    let inner = gz(b"{\"b\":2}");
    let members: [(&str, &[u8]); 4] = [
        ("r0/rank0.json", b"{\"a\":1}"),
        ("rank1.json.gz", &inner),
        ("README", b"Dear all,\nthis is a letter"),
        ("plot.png", b"\x89PNG\r\n\x1a\nxx"),
    ];
    let tar = tar_of(&members);
    let packed = [
        zip_of(&members),
        tar.clone(),
        gz(&tar),
        zst(&tar),
        gz(&zip_of(&members)),
        zip_of(&[("in.tar", &tar)]),
    ];
    for bytes in packed {
        let opened = folder.open("x.dat", &bytes).unwrap();
        let texts: Vec<_> = opened.sources.iter().map(Source::bytes).collect();
        assert_eq!(texts, [b"{\"a\":1}", b"{\"b\":2}"]);
        assert!(opened.sources[0].name().starts_with("x.dat › "));
        assert_eq!(opened.sources[0].file_name(), "rank0.json");
        assert_eq!(opened.sources[0].gzip_members(), None);
        assert_eq!(opened.sources[1].gzip_members(), Some(1));
        let ignored: Vec<_> = opened.ignored.iter().map(|it| it.why).collect();
        assert_eq!(
            ignored,
            [
                WhyIgnored::NotATrace(Content::Text),
                WhyIgnored::NotATrace(Content::Png)
            ]
        );
    }
}

#[test]
fn a_cut_tar_gz_keeps_its_first_members() {
    let (plain, folder) = (events(400_000), Folder::new());
    let tar = tar_of(&[("a.json", &plain), ("b.json", &plain)]);
    let packed = gz(&tar);
    let opened = folder
        .open("x.tgz", &packed[..packed.len() * 3 / 4])
        .unwrap();
    assert_eq!(opened.sources[0].bytes(), plain);
    assert!(opened.sources[0].notes().is_empty());
    assert!(plain.starts_with(opened.sources[1].bytes()));
    assert_eq!(opened.sources[1].notes()[0].kind, NoteKind::TruncatedGzip);
    let opened = folder.open("x.tar", &tar[..tar.len() * 3 / 4]).unwrap();
    assert_eq!(opened.sources[1].notes()[0].kind, NoteKind::DamagedArchive);
}

#[test]
fn names_that_leave_the_archive_are_refused() {
    for name in [
        "../x.json",
        "/etc/x.json",
        "a/../../x.json",
        "C:\\x.json",
        "..\\x.json",
    ] {
        let members: [(&str, &[u8]); 2] = [(name, b"{}"), ("good.json", b"{}")];
        for bytes in [zip_of(&members), tar_of(&members)] {
            let opened = Folder::new().open("x", &bytes).unwrap();
            assert_eq!(opened.sources.len(), 1, "{name}");
            assert_eq!(opened.ignored[0].why, WhyIgnored::UnsafePath);
            assert_eq!(opened.ignored[0].why.kind(), Some("unsafe-path"));
        }
    }
}

#[test]
fn a_locked_member_is_named_and_the_others_open() {
    let mut bytes = zip_of(&[("a.json", b"{}"), ("b.json", b"{}")]);
    // Bit 0 of the flags, in the local header and in the directory.
    bytes[6] |= 1;
    let directory = memchr::memmem::find(&bytes, b"PK\x01\x02").unwrap();
    bytes[directory + 8] |= 1;
    let opened = Folder::new().open("a.zip", &bytes).unwrap();
    assert_eq!(opened.sources.len(), 1);
    assert_eq!(opened.ignored[0].why, WhyIgnored::Encrypted);
    assert_eq!(opened.ignored[0].name, "a.zip › a.json");
    let cut = Folder::new().open("a.zip", &bytes[..40]).unwrap_err();
    assert!(matches!(cut, SourceError::Zip { .. }), "{cut}");
}

#[test]
fn a_bomb_is_refused_at_once() {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(&vec![0; 16 << 20]).unwrap();
    // Ten gigabytes.
    let bomb = encoder.finish().unwrap().repeat(640);
    let tar = zst(&tar_of(&[("pad.bin", &vec![0; 100 << 20])]));
    let zip = zip_of(&[(
        "pad.json",
        &[b"{".as_slice(), &vec![b' '; 100 << 20]].concat(),
    )]);
    for bytes in [bomb, tar, zip, zst(&vec![0; 100 << 20])] {
        let error = Folder::new().open("a.gz", &bytes).unwrap_err();
        assert_eq!(error.kind(), Some("size-limit"));
        let SourceError::SizeLimit { inflated, .. } = error else {
            panic!("{error}")
        };
        assert!(inflated < 120 << 20);
    }
    // Small files may pack as well as they like.
    let source = Folder::new().only(
        "a.gz",
        &gz(&[b"{".as_slice(), &vec![b' '; 30 << 20]].concat()),
    );
    assert_eq!(source.inflated_bytes(), Some((30 << 20) + 1));
}

#[test]
fn archives_in_archives_end_somewhere() {
    let mut bytes = b"{}".to_vec();
    for _ in 0..4 {
        bytes = gz(&bytes);
    }
    assert_eq!(Folder::new().only("a", &bytes).bytes(), b"{}");
    let bytes = gz(&bytes);
    let error = Folder::new().open("a", &bytes).unwrap_err();
    assert!(matches!(error, SourceError::TooDeep { .. }), "{error}");
    let opened = Folder::new()
        .open("a", &zip_of(&[("m", &bytes), ("n", b"{}")]))
        .unwrap();
    assert_eq!(
        (opened.sources.len(), opened.ignored[0].why),
        (1, WhyIgnored::TooDeep)
    );
}

#[test]
fn text_of_other_encodings_becomes_utf8() {
    let folder = Folder::new();
    assert_eq!(folder.only("a", b"\xef\xbb\xbf{}").bytes(), b"{}");
    let text = "{\"µ\": \"😀\"}".repeat(20_000);
    let little: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let big: Vec<u8> = text.encode_utf16().flat_map(u16::to_be_bytes).collect();
    let marked = [
        [b"\xff\xfe", little.as_slice()].concat(),
        [b"\xfe\xff", big.as_slice()].concat(),
    ];
    for bytes in marked {
        assert_eq!(folder.only("a", &bytes).bytes(), text.as_bytes());
        assert_eq!(folder.only("a.gz", &gz(&bytes)).gzip_members(), Some(1));
    }
    let broken = folder.only("a", b"\xff\xfe{\0\x00\xd8}\0\x01\xdc\x00\xd8");
    assert_eq!(broken.bytes(), "{\u{fffd}}\u{fffd}\u{fffd}".as_bytes());
    let note = broken.notes()[0];
    assert_eq!(
        (note.kind, note.count, note.at),
        (NoteKind::LoneSurrogate, 3, 6)
    );
}

#[test]
fn what_is_no_file_gets_one_sentence() {
    let folder = Folder::new();
    let said = |path: &Path| {
        let error = open(path, &|_| Ok(())).unwrap_err();
        assert!(
            error.to_string().ends_with(&path.display().to_string()),
            "{error}"
        );
        error
    };
    let empty = folder.file("empty.json", b"");
    assert!(matches!(said(&empty), SourceError::Empty { .. }));
    assert!(matches!(said(folder.0.path()), SourceError::Folder { .. }));
    let missing = folder.0.path().join("nowhere");
    assert!(matches!(said(&missing), SourceError::Missing { .. }));
    #[cfg(unix)]
    {
        use std::os::unix::net::UnixListener;
        let socket = folder.0.path().join("socket");
        let _listener = UnixListener::bind(&socket).unwrap();
        assert!(matches!(said(&socket), SourceError::NotAFile { .. }));
        assert!(matches!(
            said(Path::new("/dev/zero")),
            SourceError::NotAFile { .. }
        ));
    }
    let huge = folder.file("huge.json", b"{");
    File::options()
        .write(true)
        .open(&huge)
        .unwrap()
        .set_len((1 << 40) + 1)
        .unwrap();
    assert!(matches!(said(&huge), SourceError::TooLarge { .. }));
}

#[test]
fn a_mapped_file_that_shrinks_is_noticed() {
    let folder = Folder::new();
    let path = folder.file("a.json", &events(200_000));
    let file = File::options().write(true).open(&path).unwrap();
    let limits = Limits {
        mapped_from: 1000,
        ..Limits::default()
    };
    // Written just now: a private copy, which no change can reach.
    let copy = open_with(&path, &|_| Ok(()), &limits).unwrap();
    file.set_modified(SystemTime::now() - Duration::from_mins(1))
        .unwrap();
    let mapped = open_with(&path, &|_| Ok(()), &limits).unwrap();
    assert_eq!(copy.sources[0].bytes(), mapped.sources[0].bytes());
    mapped.sources[0].check_unchanged().unwrap();
    file.set_len(5000).unwrap();
    let error = mapped.sources[0].check_unchanged().unwrap_err();
    assert!(
        matches!(error, SourceError::Changed { now: 5000, .. }),
        "{error}"
    );
    copy.sources[0].check_unchanged().unwrap();
    assert!(copy.sources[0].bytes().len() >= 200_000);
}

#[test]
fn the_temporary_disk_is_never_filled_to_the_last() {
    let plain = events(12 << 20);
    let folder = Folder::new();
    let open = |bytes: &[u8], free_bytes: fn() -> Option<u64>| {
        let path = folder.file("a.json", bytes);
        let mapped_from = 1000;
        let limits = Limits {
            mapped_from,
            free_bytes,
        };
        open_with(&path, &|_| Ok(()), &limits)
    };
    for bytes in [&plain, &gz(&plain)] {
        let error = open(bytes, || Some((1 << 30) - 1)).unwrap_err();
        let said = error.to_string();
        assert!(said.contains("has less than 1 GiB left after 8"), "{said}");
        for free_bytes in [|| Some(1 << 30), || None] {
            let opened = open(bytes, free_bytes).unwrap();
            assert_eq!(opened.sources[0].bytes(), plain);
        }
    }
}

#[test]
fn a_cancel_stops_and_progress_reaches_the_end() {
    let packed = gz(&events(4_000_000));
    let folder = Folder::new();
    let path = folder.file("a.gz", &packed);
    let seen = std::cell::Cell::new(0);
    open(&path, &|bytes| {
        assert!(bytes >= seen.get());
        seen.set(bytes);
        Ok(())
    })
    .unwrap();
    assert_eq!(seen.get(), packed.len() as u64);
    for bytes in [
        packed,
        tar_of(&[("a", &events(300_000))]),
        events(3_000_000),
    ] {
        let path = folder.file("b", &bytes);
        let stop = |at| if at > 100_000 { Err(Cancelled) } else { Ok(()) };
        assert!(matches!(open(&path, &stop), Err(SourceError::Cancelled(_))));
    }
}

#[test]
fn a_flipped_bit_or_a_cut_never_panics() {
    let folder = Folder::new();
    let plain = events(900);
    let members: [(&str, &[u8]); 2] = [("a.json", &plain), ("b.json", b"{}")];
    let tar = tar_of(&members);
    let utf16: Vec<u8> = [0xfe, 0xff].into_iter().chain(plain.clone()).collect();
    for packed in [
        gz(&plain),
        zst(&plain),
        zip_of(&members),
        gz(&tar),
        tar,
        utf16,
    ] {
        let step = packed.len() / 500 + 1;
        for at in (0..packed.len()).step_by(step) {
            let mut bent = packed.clone();
            bent[at] ^= 1 << (at % 8);
            for bytes in [bent.as_slice(), &packed[..at]] {
                if let Ok(opened) = folder.open("x", bytes) {
                    assert!(opened.sources.iter().all(|it| !it.bytes().is_empty()));
                }
            }
        }
    }
}

#[test]
fn a_damaged_header_in_a_tar_costs_its_member_only() {
    let good = events(2000);
    let whole = tar_of(&[("a.json", &good), ("b.json", &good), ("c.json", &good)]);
    let folder = Folder::new();
    let names = |bytes: &[u8]| {
        let opened = folder.open("x.tar", bytes).unwrap();
        let read: Vec<String> = opened.sources.iter().map(Source::name).collect();
        let lost = opened.ignored.iter().map(|it| (it.name.clone(), it.why));
        (read, lost.collect::<Vec<_>>())
    };
    // Each member takes a header and four blocks.
    for (position, name) in ["a.json", "b.json", "c.json"].into_iter().enumerate() {
        let mut bent = whole.clone();
        bent[position * 5 * 512 + 100] ^= 1;
        let (read, lost) = names(&bent);
        let others: Vec<String> = ["a.json", "b.json", "c.json"]
            .into_iter()
            .filter(|it| *it != name)
            .map(|it| format!("x.tar › {it}"))
            .collect();
        assert_eq!(read, others);
        assert_eq!(lost, [(format!("x.tar › {name}"), WhyIgnored::Damaged)]);
        let (packed, lost) = names(&gz(&bent));
        assert_eq!((packed.len(), lost.len()), (2, 1));
    }
    let (read, lost) = names(&whole);
    assert_eq!((read.len(), lost.len()), (3, 0));
    // The header of the last member is cut in two.
    let (read, _) = names(&whole[..10 * 512 + 300]);
    assert_eq!(read.len(), 2);
}

#[test]
fn a_damaged_member_of_a_zip_is_named_and_the_others_open() {
    let good = events(2000);
    let whole = zip_of(&[("a.json", &good), ("b.json", &good), ("c.json", &good)]);
    let second = memchr::memmem::find_iter(&whole, b"PK\x03\x04")
        .nth(1)
        .unwrap();
    let folder = Folder::new();
    let mut bent = whole.clone();
    bent[second] ^= 1;
    let opened = folder.open("x.zip", &bent).unwrap();
    assert_eq!(opened.sources.len(), 2);
    assert_eq!(opened.ignored[0].name, "x.zip › b.json");
    assert_eq!(opened.ignored[0].why, WhyIgnored::Damaged);
    // Bent in the middle of its bytes, it is read as far as it goes.
    let mut bent = whole.clone();
    bent[second + 300] ^= 0x10;
    let opened = folder.open("x.zip", &bent).unwrap();
    let notes: Vec<(String, usize)> = opened
        .sources
        .iter()
        .map(|it| (it.name(), it.notes().len()))
        .collect();
    assert_eq!(notes.len(), 3);
    assert_eq!(notes[1], ("x.zip › b.json".to_owned(), 1));
    assert_eq!(opened.sources[1].notes()[0].kind, NoteKind::DamagedArchive);
    assert_eq!((notes[0].1, notes[2].1), (0, 0));
}

#[test]
fn a_zip_that_was_cut_off_gives_the_members_before_the_cut() {
    let good = events(40_000);
    let whole = zip_of(&[("a.json", &good), ("b.json", &good), ("c.json", &good)]);
    let third = memchr::memmem::find_iter(&whole, b"PK\x03\x04")
        .nth(2)
        .unwrap();
    let folder = Folder::new();
    let opened = folder.open("x.zip", &whole[..third + 2000]).unwrap();
    let names: Vec<String> = opened.sources.iter().map(Source::name).collect();
    assert_eq!(
        names,
        ["x.zip › a.json", "x.zip › b.json", "x.zip › c.json"]
    );
    assert_eq!(opened.sources[0].bytes(), good);
    assert_eq!(opened.sources[1].bytes(), good);
    assert!(good.starts_with(opened.sources[2].bytes()));
    let notes: Vec<usize> = opened.sources.iter().map(|it| it.notes().len()).collect();
    assert_eq!(notes, [0, 0, 1]);
    // Of the directory only.
    let opened = folder.open("x.zip", &whole[..whole.len() - 30]).unwrap();
    assert_eq!(opened.sources.len(), 3);
    assert_eq!(opened.sources[2].notes()[0].kind, NoteKind::DamagedArchive);
}
