//! Device code inside other files: bundles of clang and LLVM's offload binaries, compressed ones too, programs and libraries for the
//! host, and archives.
//!
//! Source: clang's documentation "Clang Offload Bundler", LLVM's `OffloadBinary.h`, and `ar(5)`.

use std::borrow::Cow;
use std::io::Read as _;

use object::Endianness;
use object::elf::{EM_AMDGPU, FileHeader64};
use object::read::elf::{FileHeader, SectionHeader};

const BUNDLE: &[u8] = b"__CLANG_OFFLOAD_BUNDLE__";
const COMPRESSED: &[u8] = b"CCOB";
const ARCHIVE: &[u8] = b"!<arch>\n";
/// The start of what `llvm-offload-binary` and `clang-offload-packager` write; several follow each other, in `.llvm.offloading` too.
const OFFLOAD_BINARY: &[u8] = b"\x10\xff\x10\xad";
/// The start of data that Zstandard compressed.
const ZSTANDARD: &[u8] = b"\x28\xb5\x2f\xfd";

/// Containers in containers, at most.
const DEPTH: u32 = 6;
/// Bytes that a compressed bundle may become.
const MAX_SIZE: u64 = 1 << 30;
/// How many times as large as its data it may become; compilers' bundles reach some 20. A small one may become 16 MiB.
const MAX_RATIO: u64 = 256;
const MIN_COMPRESSED: u64 = 64 << 10;
/// Bytes of all containers and of what they hold together, copied ones four times: parts can overlap.
const MAX_READ: u64 = 1 << 32;
/// Bytes that each part counts for besides its own.
const PART: u64 = 1 << 17;

/// Whether bytes start as a file that holds device code does.
pub(super) fn is_bundle(bytes: &[u8]) -> bool {
    [BUNDLE, COMPRESSED, OFFLOAD_BINARY].iter().any(|start| bytes.starts_with(start))
}

/// Whether bytes are an ELF file for AMDGPU.
pub(super) fn is_code_object(bytes: &[u8]) -> bool {
    machine(bytes) == Some(EM_AMDGPU.0)
}

/// The device code in a file, in its order: the file itself, or what it holds. `is_image` tells it by its bytes.
///
/// # Errors
/// A bundle cannot be read.
pub(super) fn images(bytes: &[u8], is_image: impl Fn(&[u8]) -> bool) -> Result<Vec<Cow<'_, [u8]>>, String> {
    let mut search = Search { is_image, left: MAX_READ, found: Vec::new() };
    search.collect(Cow::Borrowed(bytes), DEPTH)?;
    Ok(search.found)
}

struct Search<'b, F> {
    is_image: F,
    /// Bytes that may still be read.
    left: u64,
    found: Vec<Cow<'b, [u8]>>,
}

impl<'b, F: Fn(&[u8]) -> bool> Search<'b, F> {
    fn collect(&mut self, bytes: Cow<'b, [u8]>, depth: u32) -> Result<(), String> {
        let Some(depth) = depth.checked_sub(1) else { return Ok(()) };
        let copies = if matches!(bytes, Cow::Owned(_)) { 4 } else { 1 };
        let read = PART + copies * bytes.len() as u64;
        self.left = self.left.checked_sub(read).ok_or("the file holds too many others")?;
        if (self.is_image)(&bytes) {
            self.found.push(bytes);
            return Ok(());
        }
        if bytes.starts_with(COMPRESSED) {
            return self.collect(Cow::Owned(decompress(&bytes)?), depth);
        }
        if let Some(inflated) = inflated_binary(&bytes)? {
            return self.collect(Cow::Owned(inflated), depth);
        }
        let parts = match () {
            () if bytes.starts_with(BUNDLE) => {
                bundle(&bytes).ok_or("the offload bundle reaches past its end")?
            }
            () if bytes.starts_with(OFFLOAD_BINARY) => match binaries(&bytes).as_slice() {
                [_] => entries(&bytes),
                several => several.to_vec(),
            },
            () if bytes.starts_with(ARCHIVE) => members(&bytes),
            () => sections(&bytes),
        };
        for part in parts {
            // What a borrowed file holds is borrowed too.
            let inner = match &bytes {
                Cow::Borrowed(whole) => Cow::Borrowed(whole.get(part).unwrap_or_default()),
                Cow::Owned(whole) => Cow::Owned(whole.get(part).unwrap_or_default().to_vec()),
            };
            self.collect(inner, depth)?;
        }
        Ok(())
    }
}

type Part = std::ops::Range<usize>;

fn number(bytes: &[u8], at: usize, size: usize) -> Option<usize> {
    let digits = bytes.get(at..at.checked_add(size)?)?;
    usize::try_from(digits.iter().rev().fold(0, |n: u64, byte| n << 8 | u64::from(*byte))).ok()
}

fn part(bytes: &[u8], start: usize, size: usize) -> Option<Part> {
    let part = start..start.checked_add(size)?;
    bytes.get(part.clone()).map(|_| part)
}

fn machine(bytes: &[u8]) -> Option<u16> {
    let header = FileHeader64::<Endianness>::parse(bytes).ok()?;
    Some(header.e_machine(header.endian().ok()?).0)
}

/// The entries of a bundle for devices.
fn bundle(bytes: &[u8]) -> Option<Vec<Part>> {
    let count = number(bytes, BUNDLE.len(), 8)?;
    let mut at = BUNDLE.len() + 8;
    let mut parts = Vec::new();
    for _ in 0..count {
        let (offset, size, name) =
            (number(bytes, at, 8)?, number(bytes, at + 8, 8)?, number(bytes, at + 16, 8)?);
        let id = bytes.get(at + 24..(at + 24).checked_add(name)?)?;
        at += 24 + name;
        let entry = part(bytes, offset, size)?;
        if !id.starts_with(b"host") && !entry.is_empty() {
            parts.push(entry);
        }
    }
    Some(parts)
}

/// A bundle that is compressed, with zlib or Zstandard.
fn decompress(bytes: &[u8]) -> Result<Vec<u8>, String> {
    let header = || Some((number(bytes, 4, 2)?, number(bytes, 6, 2)?));
    let (version, method) = header().ok_or("the header of the compressed bundle is incomplete")?;
    // Sizes and a hash follow, of more bytes in each version.
    let (length, size) = match version {
        1 => (20, number(bytes, 8, 4)),
        2 => (24, number(bytes, 12, 4)),
        3 => (32, number(bytes, 16, 8)),
        _ => return Err(format!("compressed bundles of version {version} are not supported")),
    };
    let is_zstandard = match method {
        0 => false,
        1 => true,
        _ => return Err("the compression of the bundle is not known".into()),
    };
    inflate(bytes.get(length..).unwrap_or_default(), is_zstandard, size.unwrap_or(0) as u64)
}

/// Compressed data of a bundle, which becomes so many bytes.
fn inflate(data: &[u8], is_zstandard: bool, size: u64) -> Result<Vec<u8>, String> {
    if size > MAX_SIZE || size > MAX_RATIO * (data.len() as u64).max(MIN_COMPRESSED) {
        return Err("the compressed bundle is too large".into());
    }
    let mut out = Vec::new();
    let broken = |e: &dyn std::fmt::Display| format!("the compressed bundle cannot be read: {e}");
    if is_zstandard {
        let decoder = ruzstd::decoding::StreamingDecoder::new(data).map_err(|e| broken(&e))?;
        decoder.take(size).read_to_end(&mut out).map_err(|e| broken(&e))?;
    } else {
        flate2::read::ZlibDecoder::new(data).take(size).read_to_end(&mut out).map_err(|e| broken(&e))?;
    }
    Ok(out)
}

/// The size of the offload binary that bytes start with.
fn binary_size(bytes: &[u8]) -> Option<usize> {
    number(bytes, 8, 8).filter(|size| *size >= 32)
}

/// The offload binaries that follow each other.
fn binaries(bytes: &[u8]) -> Vec<Part> {
    let mut parts = Vec::new();
    let mut at = 0;
    while let Some(rest) = bytes.get(at..).filter(|rest| rest.starts_with(OFFLOAD_BINARY)) {
        let Some(size) = binary_size(rest).map(|size| size.min(rest.len())) else { break };
        parts.push(at..at + size);
        at = (at + size).next_multiple_of(8);
    }
    parts
}

/// An offload binary, and those after it, without compression, which it can have since version 3.
fn inflated_binary(bytes: &[u8]) -> Result<Option<Vec<u8>>, String> {
    const INFLATED: Part = 32..40;
    let of = || {
        let version = number(bytes, 4, 4).filter(|_| bytes.starts_with(OFFLOAD_BINARY))?;
        let whole = number(bytes, INFLATED.start, 8).filter(|size| version >= 3 && *size > 0)?;
        let (size, start) = (binary_size(bytes)?, number(bytes, 16, 8)?);
        let rest = bytes.get(size.checked_next_multiple_of(8)?..).unwrap_or_default();
        Some((bytes.get(..start)?, bytes.get(start..size)?, rest, whole))
    };
    let Some((header, data, rest, whole)) = of() else { return Ok(None) };
    let size = whole.checked_sub(header.len()).ok_or("the offload binary reaches past its end")?;
    let mut out = header.to_vec();
    out.extend(inflate(data, data.starts_with(ZSTANDARD), size as u64)?);
    out.get_mut(8..16).into_iter().for_each(|size| size.copy_from_slice(&(whole as u64).to_le_bytes()));
    out.get_mut(INFLATED).into_iter().for_each(|size| size.fill(0));
    out.resize(out.len().next_multiple_of(8), 0);
    out.extend(rest);
    Ok(Some(out))
}

/// The images of an offload binary; the first version has one.
fn entries(bytes: &[u8]) -> Vec<Part> {
    const ENTRY: usize = 40;
    let header = || Some((number(bytes, 4, 4)?, number(bytes, 16, 8)?, number(bytes, 24, 8)?));
    let Some((version, start, count)) = header() else { return Vec::new() };
    let starts =
        (0..if version == 1 { 1 } else { count }).map_while(|n| start.checked_add(n.checked_mul(ENTRY)?));
    let image = |entry: usize| {
        part(bytes, number(bytes, entry.checked_add(24)?, 8)?, number(bytes, entry.checked_add(32)?, 8)?)
    };
    starts.map_while(image).filter(|image| !image.is_empty()).collect()
}

/// Files in an archive.
fn members(bytes: &[u8]) -> Vec<Part> {
    const HEADER: usize = 60;
    let mut parts = Vec::new();
    let mut at = ARCHIVE.len();
    while let Some(header) = bytes.get(at..at + HEADER) {
        let size =
            header.get(48..58).and_then(|digits| std::str::from_utf8(digits).ok()?.trim().parse().ok());
        let Some(member) = size.and_then(|size| part(bytes, at + HEADER, size)) else { break };
        at = member.end.next_multiple_of(2);
        parts.push(member);
    }
    parts
}

/// Where device code starts in the sections of a file for the host.
fn sections(bytes: &[u8]) -> Vec<Part> {
    let mut parts = Vec::new();
    let Ok(header) = FileHeader64::<Endianness>::parse(bytes) else { return parts };
    let Ok(endian) = header.endian() else { return parts };
    let Ok(table) = header.sections(endian, bytes) else { return parts };
    for section in table.iter() {
        let name = table.section_name(endian, section).unwrap_or_default();
        let (start, size) = section.file_range(endian).unwrap_or_default();
        let Some(whole) = part(bytes, start as usize, size as usize) else { continue };
        let data = bytes.get(whole.clone()).unwrap_or_default();
        if name.starts_with(BUNDLE) {
            parts.push(whole);
            continue;
        }
        let marks: &[&[u8]] = match name {
            b".hip_fatbin" => &[BUNDLE, COMPRESSED],
            b".llvm.offloading" => &[OFFLOAD_BINARY],
            _ => continue,
        };
        // A file that was linked from several has one after the other, each aligned.
        let starts = (0..data.len()).step_by(8).filter(|at| marks.iter().any(|m| data[*at..].starts_with(m)));
        let end = |at: usize| match data.get(at..).filter(|rest| rest.starts_with(OFFLOAD_BINARY)) {
            Some(rest) => binary_size(rest).map_or(data.len(), |size| data.len().min(at + size)),
            None => data.len(),
        };
        parts.extend(starts.map(|at| whole.start + at..whole.start + end(at)));
    }
    parts
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use super::*;

    /// The header of an ELF file, with a byte to tell it by.
    fn elf(machine: u16, mark: u8) -> Vec<u8> {
        let mut bytes = b"\x7fELF\x02\x01\x01\x40".to_vec();
        bytes.resize(64, 0);
        bytes[18..20].copy_from_slice(&machine.to_le_bytes());
        bytes.push(mark);
        bytes
    }

    fn device(mark: u8) -> Vec<u8> {
        elf(EM_AMDGPU.0, mark)
    }

    fn bundle(entries: &[(&str, &[u8])]) -> Vec<u8> {
        let table: usize = entries.iter().map(|(id, _)| 24 + id.len()).sum();
        let mut out = [BUNDLE, &(entries.len() as u64).to_le_bytes()].concat();
        let mut offset = out.len() + table;
        for (id, bytes) in entries {
            for number in [offset, bytes.len(), id.len()] {
                out.extend((number as u64).to_le_bytes());
            }
            out.extend(id.as_bytes());
            offset += bytes.len();
        }
        entries.iter().for_each(|(_, bytes)| out.extend(*bytes));
        out
    }

    fn example() -> Vec<u8> {
        let host = elf(62, 0);
        bundle(&[
            ("host-x86_64-unknown-linux-gnu", &host),
            ("hipv4-amdgcn-amd-amdhsa--gfx942", &device(1)),
            ("hipv4-amdgcn-amd-amdhsa--gfx1100", &device(2)),
        ])
    }

    fn compressed(version: u16, method: u16, inner: &[u8]) -> Vec<u8> {
        let data = match method {
            0 => {
                let mut encoder = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::best());
                encoder.write_all(inner).and_then(|()| encoder.finish()).expect("writes to memory")
            }
            _ => ruzstd::encoding::compress_to_vec(inner, ruzstd::encoding::CompressionLevel::Fastest),
        };
        let size = inner.len() as u64;
        let sizes = match version {
            1 => (size as u32).to_le_bytes().to_vec(),
            2 => [0u32, size as u32].iter().flat_map(|n| n.to_le_bytes()).collect(),
            _ => [0, size].iter().flat_map(|n| n.to_le_bytes()).collect(),
        };
        [COMPRESSED, &version.to_le_bytes(), &method.to_le_bytes(), &sizes, &[0; 8], &data].concat()
    }

    /// The marks of what is found.
    fn found(bytes: &[u8]) -> Vec<u8> {
        images(bytes, is_code_object)
            .expect("can be read")
            .iter()
            .filter_map(|object| object.last().copied())
            .collect()
    }

    #[test]
    fn a_bundle_that_would_become_far_larger_is_not_unpacked() {
        let zeros = vec![0; 64 << 20];
        for (version, method) in [(2, 0), (2, 1), (3, 1)] {
            let bomb = compressed(version, method, &zeros);
            let refused = decompress(&bomb).map(|unpacked| unpacked.len());
            assert_eq!(refused, Err("the compressed bundle is too large".to_owned()), "{version} {method}");
        }
    }

    #[test]
    fn bundles_hold_code_objects() {
        assert_eq!(found(&device(7)), [7]);
        assert_eq!(found(&example()), [1, 2]);
        for (version, method) in [(1, 0), (2, 0), (2, 1), (3, 1)] {
            assert_eq!(found(&compressed(version, method, &example())), [1, 2], "{version} {method}");
        }
        assert_eq!(found(&elf(62, 0)), []);
        assert_eq!(found(b"text"), []);
    }

    #[test]
    fn archives_hold_files() {
        let mut archive = ARCHIVE.to_vec();
        for member in [&device(3)[..], &example(), b"text"] {
            archive.extend(format!("{:<48}{:<10}`\n", "name/", member.len()).as_bytes());
            archive.extend(member);
            archive.resize(archive.len().next_multiple_of(2), b'\n');
        }
        assert_eq!(found(&archive), [3, 1, 2]);
    }

    fn numbers(numbers: &[u64]) -> Vec<u8> {
        numbers.iter().flat_map(|n| n.to_le_bytes()).collect()
    }

    /// An offload binary as versions of LLVM write it, with one image in the first version.
    fn binary(version: u8, images: &[Vec<u8>]) -> Vec<u8> {
        let header = if version < 3 { 32 } else { 40 };
        let mut entries = Vec::new();
        let mut offset = header + 40 * images.len();
        for image in images {
            entries.extend(numbers(&[0, 0, 0, offset as u64, image.len() as u64]));
            offset += image.len();
        }
        let size = offset.next_multiple_of(8);
        let second = if version == 1 { 40 } else { images.len() as u64 };
        let start = [OFFLOAD_BINARY, &[version, 0, 0, 0], &numbers(&[size as u64, header as u64, second])];
        let mut out = [start.concat(), vec![0; header - 32], entries, images.concat()].concat();
        out.resize(size, 0);
        out
    }

    #[test]
    fn offload_binaries_hold_images_and_follow_each_other() {
        assert_eq!(found(&binary(1, &[device(5)])), [5]);
        assert_eq!(found(&[binary(1, &[device(5)]), binary(1, &[device(6)])].concat()), [5, 6]);
        let several =
            [binary(2, &[device(1), b"text".to_vec(), device(2)]), binary(3, &[device(3)])].concat();
        assert_eq!(found(&several), [1, 2, 3]);
        let whole = binary(3, &[device(1), device(2)]);
        for method in [0, 1] {
            let data = &compressed(2, method, &whole[40..])[24..];
            let size = (40 + data.len()) as u64;
            let mut packed = whole[..8].to_vec();
            packed.extend(numbers(&[size, 40, 2, whole.len() as u64]));
            packed.extend(data);
            packed.resize(packed.len().next_multiple_of(8), 0);
            assert_eq!(found(&[packed, binary(1, &[device(3)])].concat()), [1, 2, 3], "{method}");
        }
    }

    #[test]
    fn a_bundle_in_itself_is_not_read_without_end() {
        let mut whole = bundle(&[("hip", &[][..]); 200]);
        let size = whole.len() as u64;
        for entry in 0..200 {
            let at = BUNDLE.len() + 8 + entry * 27;
            whole[at..at + 8].copy_from_slice(&0u64.to_le_bytes());
            whole[at + 8..at + 16].copy_from_slice(&size.to_le_bytes());
        }
        assert_eq!(images(&whole, is_code_object), Err("the file holds too many others".to_owned()));
    }

    #[test]
    fn what_is_cut_off_is_an_error_or_nothing() {
        for whole in [
            example(),
            compressed(2, 0, &example()),
            compressed(3, 1, &example()),
            binary(1, &[device(1)]),
            binary(3, &[device(1), device(2)]),
        ] {
            for length in 0..whole.len() {
                let _ = images(&whole[..length], is_code_object);
            }
        }
        assert!(images(&example()[..80], is_code_object).is_err());
        assert!(images(&compressed(9, 0, b""), is_code_object).is_err());
    }
}
