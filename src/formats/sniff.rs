//! What a file is, told from its first bytes and never from its ending. The ending serves only to word the advice
//! for a kind whose bytes say nothing (`guess_from_name`). Whether JSON is a trace is the importers' question.

/// How many first bytes `what_is_it` wants to see: a tar header ends at 512, and text before an ncu table may be long.
pub(super) const HEAD_BYTES: usize = 4096;

/// The kinds of content that are told apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Content {
    Json,
    Gzip,
    Zip,
    Zstd,
    Tar,
    Sqlite,
    NsysRep,
    NcuRep,
    Pickle,
    Pdf,
    XplaneOrPerfettoProtobuf,
    PrometheusText,
    NcuCsv,
    OtherCsv,
    Html,
    Png,
    Elf,
    Empty,
    Utf16,
    Text,
    Unknown,
}

impl Content {
    /// Gzip, zstd, zip, tar and UTF-16 hold something that has to be taken out first.
    pub const fn is_wrapped(self) -> bool {
        matches!(
            self,
            Self::Gzip | Self::Zip | Self::Zstd | Self::Tar | Self::Utf16
        )
    }

    /// Whether a member of an archive with this content is worth taking out.
    pub const fn may_be_trace(self) -> bool {
        matches!(self, Self::Json | Self::PrometheusText | Self::NcuCsv)
    }

    /// One sentence for a person whose file is not read: what it is and what to do.
    pub const fn advice(self) -> &'static str {
        match self {
            Self::Json => {
                "this JSON has no trace events; open the file that torch.profiler's export_chrome_trace wrote"
            }
            Self::Gzip | Self::Zip | Self::Zstd | Self::Tar => {
                "this is an archive inside archives; unpack it once and open what comes out"
            }
            Self::Sqlite => {
                "Nsight Systems and rocpd databases are not read yet; open a PyTorch Profiler trace (.json or .json.gz) of the same run"
            }
            Self::NsysRep => {
                "this is an Nsight Systems report, which only NVIDIA's tools can read; export it with `nsys export --type sqlite --lazy=false FILE`"
            }
            Self::NcuRep => {
                "this is an Nsight Compute report, which only NVIDIA's tools can read; export it with `ncu --import FILE --csv --page raw --print-units base`"
            }
            Self::Pickle => {
                "this is a Python pickle, perhaps a memory snapshot, and no timeline; open the trace that the profiler wrote as JSON"
            }
            Self::Pdf => {
                "this is a PDF document and not a trace; open the .json file that the profiler wrote"
            }
            Self::XplaneOrPerfettoProtobuf => {
                "this is a binary protobuf trace (XLA xplane.pb or Perfetto); for JAX open the trace.json.gz beside it, for Perfetto convert it with `traceconv json FILE out.json`"
            }
            Self::PrometheusText => {
                "this is a scrape of metrics and not a trace; open the trace of the same server"
            }
            Self::NcuCsv => "Nsight Compute tables are not read yet; open a PyTorch Profiler trace",
            Self::OtherCsv => {
                "this is a table (CSV) without a timeline; open the JSON trace of the same run"
            }
            Self::Html => {
                "this is a web page and not a trace; if it was downloaded, download the raw file instead"
            }
            Self::Png => "this is a picture and not a trace; open the file that it was drawn from",
            Self::Elf => {
                "this is a program and not a trace; run it under a profiler and open what that writes"
            }
            Self::Empty => "the file is empty; record the trace again",
            Self::Utf16 | Self::Text => {
                "this text is not a trace; open the .json file that the profiler wrote"
            }
            Self::Unknown => {
                "this is none of the formats known here; open a PyTorch Profiler or Chrome trace (.json, .json.gz, .zst, .zip, .tar)"
            }
        }
    }
}

/// First bytes that settle the matter alone.
const MAGICS: [(&[u8], Content); 18] = [
    (b"\x1f\x8b", Content::Gzip),
    (b"PK\x03\x04", Content::Zip),
    (b"PK\x05\x06", Content::Zip),
    (b"\x28\xb5\x2f\xfd", Content::Zstd),
    (b"SQLite format 3\0", Content::Sqlite),
    (b"NVIDIA Tegra Profiler Report", Content::NsysRep),
    (b"NVR\0", Content::NcuRep),
    (b"%PDF-", Content::Pdf),
    (b"\x89PNG\r\n\x1a\n", Content::Png),
    (b"\x7fELF", Content::Elf),
    (b"\x80\x02", Content::Pickle),
    (b"\x80\x03", Content::Pickle),
    (b"\x80\x04", Content::Pickle),
    (b"\x80\x05", Content::Pickle),
    (b"\xff\xfe", Content::Utf16),
    (b"\xfe\xff", Content::Utf16),
    (b"==PROF==", Content::NcuCsv),
    (b"==WARNING==", Content::NcuCsv),
];

/// Tells what the bytes at the head of a file are. Give it 4096 bytes, or all there are.
pub fn what_is_it(head: &[u8]) -> Content {
    if head.is_empty() {
        return Content::Empty;
    }
    if let Some((_, content)) = MAGICS.iter().find(|(magic, _)| head.starts_with(magic)) {
        return *content;
    }
    // A skippable zstd frame comes before the first real one in files of some parallel writers.
    if head
        .get(..4)
        .is_some_and(|it| matches!(it, [0x50..=0x5f, 0x2a, 0x4d, 0x18]))
    {
        return Content::Zstd;
    }
    if head
        .get(257..)
        .is_some_and(|tail| tail.starts_with(b"ustar"))
    {
        return Content::Tar;
    }
    // Reports downloaded through a dashboard were seen with one stray byte in front.
    if head
        .get(1..)
        .is_some_and(|it| it.starts_with(b"NVIDIA Tegra Profiler Report"))
    {
        return Content::NsysRep;
    }
    of_text(without_bom(head))
}

/// What the ending says, for the advice on a file whose bytes say nothing.
pub fn guess_from_name(name: &str) -> Option<Content> {
    let ending = name.rsplit_once('.')?.1.to_ascii_lowercase();
    match ending.as_str() {
        "nsys-rep" | "qdrep" | "qdstrm" => Some(Content::NsysRep),
        "ncu-rep" => Some(Content::NcuRep),
        "pb" | "pftrace" | "perfetto-trace" => Some(Content::XplaneOrPerfettoProtobuf),
        "pickle" | "pkl" => Some(Content::Pickle),
        _ => None,
    }
}

pub(super) fn without_bom(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes)
}

fn of_text(head: &[u8]) -> Content {
    let text = head.trim_ascii_start();
    match text.first() {
        None => return Content::Text,
        Some(b'{' | b'[') => return Content::Json,
        Some(_) => {}
    }
    // Before the text tests: a protobuf's first tag looks like a line feed.
    if head.contains(&0) || is_protobuf(head) {
        return if is_protobuf(head) {
            Content::XplaneOrPerfettoProtobuf
        } else {
            Content::Unknown
        };
    }
    let starts = |with: &[u8]| {
        text.get(..with.len())
            .is_some_and(|it| it.eq_ignore_ascii_case(with))
    };
    if starts(b"<!doctype html") || starts(b"<html") {
        return Content::Html;
    }
    if starts(b"# HELP") || starts(b"# TYPE") || is_metric_line(text) {
        return Content::PrometheusText;
    }
    if memchr::memmem::find(text, b"\"ID\",\"Process ID\"").is_some() {
        return Content::NcuCsv;
    }
    if is_binary(text) {
        return Content::Unknown;
    }
    let line = text.split(|it| *it == b'\n').next().unwrap_or_default();
    // A table of counters can have a first line that is longer than what we see.
    let has_rows = text.len() > line.len() || text.len() > HEAD_BYTES / 2;
    if has_rows && memchr::memchr_iter(b',', line).count() >= 2 {
        return Content::OtherCsv;
    }
    Content::Text
}

/// Field 1 with a length, at which another field follows: `0A len …`. Both Perfetto and `XSpace` begin so; a text that
/// begins with an empty line does not fit, since its next byte read as a length leads to no second field.
fn is_protobuf(head: &[u8]) -> bool {
    let Some((0x0a, rest)) = head.split_first() else {
        return false;
    };
    let mut length: usize = 0;
    for (at, byte) in rest.iter().take(5).enumerate() {
        length |= usize::from(byte & 0x7f) << (7 * at);
        if byte & 0x80 != 0 {
            continue;
        }
        let next = rest.get(at + 1..).and_then(|it| it.get(length));
        let inner = rest.get(at + 1).copied().unwrap_or_default();
        // The first field inside is a varint or a length with a small number.
        let sound = matches!(inner & 7, 0 | 2) && inner >> 3 != 0;
        let long = at > 0 && length > head.len();
        return sound && (long || matches!(next, Some(0x0a | 0x12 | 0x1a | 0x22)));
    }
    false
}

/// `name{label="…"} value` or `name value`, as a scrape without help lines begins.
fn is_metric_line(text: &[u8]) -> bool {
    let line = text.split(|it| *it == b'\n').next().unwrap_or_default();
    let name = line
        .iter()
        .take_while(|it| it.is_ascii_alphanumeric() || matches!(it, b'_' | b':'))
        .count();
    let labels_follow = line.get(name) == Some(&b'{') && line.contains(&b'"');
    let value_follows = line
        .get(name + 1..)
        .and_then(|it| std::str::from_utf8(it).ok())
        .is_some_and(|it| it.trim().parse::<f64>().is_ok());
    name > 0 && (labels_follow || (line.get(name) == Some(&b' ') && value_follows))
}

/// More than one odd control byte in a hundred: no text a person wrote.
fn is_binary(text: &[u8]) -> bool {
    let odd = |it: &&u8| it.is_ascii_control() && !it.is_ascii_whitespace() && **it != 0x1b;
    text.iter().filter(odd).count() * 100 > text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_kind_is_known_by_its_first_bytes() {
        let mut tar = vec![b'a'; 600];
        tar[257..262].copy_from_slice(b"ustar");
        let cases: [(&[u8], Content); 24] = [
            (b"", Content::Empty),
            (b"\n {\"traceEvents\"", Content::Json),
            (b"\xef\xbb\xbf[1]", Content::Json),
            (b"\x1f\x8b\x08", Content::Gzip),
            (b"PK\x03\x04", Content::Zip),
            (b"\x28\xb5\x2f\xfd", Content::Zstd),
            (b"\x50\x2a\x4d\x18", Content::Zstd),
            (&tar, Content::Tar),
            (b"SQLite format 3\0", Content::Sqlite),
            (b"NVIDIA Tegra Profiler Report 1", Content::NsysRep),
            (b"1NVIDIA Tegra Profiler Report", Content::NsysRep),
            (b"NVR\0\x01", Content::NcuRep),
            (b"\x80\x04\x95", Content::Pickle),
            (b"%PDF-1.7", Content::Pdf),
            (
                b"# HELP vllm:x y\n# TYPE vllm:x gauge",
                Content::PrometheusText,
            ),
            (b"up{job=\"a\"} 1\n", Content::PrometheusText),
            (
                b"==PROF== Connected\n\"ID\",\"Process ID\"",
                Content::NcuCsv,
            ),
            (
                b"Hello\n\"ID\",\"Process ID\",\"Name\"\n0,1,k",
                Content::NcuCsv,
            ),
            (
                b"\"Kind\",\"Agent_Id\",\"Queue_Id\"\n1,2,3",
                Content::OtherCsv,
            ),
            (b"  <!DOCTYPE html><html>", Content::Html),
            (b"\xff\xfe{\0", Content::Utf16),
            (b"\nDear all, this is a letter", Content::Text),
            (
                b"\x0a\x05\x08\x01\x12\x01a\x0a\x02\x08\x01",
                Content::XplaneOrPerfettoProtobuf,
            ),
            (b"\x00\x01\x02\x03rubbish", Content::Unknown),
        ];
        for (head, content) in cases {
            assert_eq!(
                what_is_it(head),
                content,
                "{:?}",
                String::from_utf8_lossy(head)
            );
        }
    }

    #[test]
    fn advice_names_the_export_command() {
        assert!(
            Content::NsysRep
                .advice()
                .contains("nsys export --type sqlite --lazy=false FILE")
        );
        assert!(
            Content::NcuRep
                .advice()
                .contains("ncu --import FILE --csv --page raw --print-units base")
        );
        assert_eq!(guess_from_name("a.nsys-rep"), Some(Content::NsysRep));
        assert_eq!(guess_from_name("a.json"), None);
    }
}
