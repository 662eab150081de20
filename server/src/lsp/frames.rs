//! Frames of the base protocol: a header with a length, a blank line, a body. Reads what clients really write: names of headers in any
//! case, line breaks before a header, line ends without `\r`. After bytes that are not a frame it continues at the next header.

use std::io;

use memchr::{memchr, memrchr};
use tokio::io::{AsyncRead, AsyncReadExt};

/// Bytes of the largest body. The largest document has 2 GiB, in JSON a little more.
const BODY: usize = 3 << 30;
/// Bytes of a header's line that are kept while its end is looked for.
const LINE: usize = 64 << 10;
const CUT_OFF: &str = "the message ends before its `Content-Length`";
/// Bytes asked of the input at once.
const READ: usize = 64 << 10;

/// What was read.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Frame {
    Body(Vec<u8>),
    /// Bytes that are not a frame: the reason. The next frame is found.
    Broken(&'static str),
}

/// Reads frames from an input.
pub(super) struct Frames<R> {
    input: R,
    buffer: Vec<u8>,
}

impl<R: AsyncRead + Unpin> Frames<R> {
    pub(super) fn new(input: R) -> Self {
        Frames { input, buffer: Vec::new() }
    }

    /// The next frame; `None` at the end of the input. Not to be dropped before it is ready.
    pub(super) async fn next(&mut self) -> io::Result<Option<Frame>> {
        let mut length = None;
        let mut has_header = false;
        loop {
            let Some(line) = self.line().await? else { return Ok(None) };
            match header(&line) {
                Header::Blank if !has_header => {}
                Header::Blank => match length {
                    Some(length) if length > BODY => {
                        return Ok(Some(Frame::Broken("the message is larger than 3 GiB")));
                    }
                    Some(length) => return self.body(length).await,
                    None => return Ok(Some(Frame::Broken("missing `Content-Length` header"))),
                },
                Header::Length(found) => (length, has_header) = (Some(found), true),
                Header::Other => has_header = true,
                Header::Invalid => {
                    return Ok(Some(Frame::Broken("expected a header")));
                }
            }
        }
    }

    /// A line without its end.
    async fn line(&mut self) -> io::Result<Option<Vec<u8>>> {
        let mut seen = 0;
        loop {
            if let Some(end) = memchr(b'\n', &self.buffer[seen..]) {
                let mut line: Vec<u8> = self.buffer.drain(..=seen + end).collect();
                line.pop();
                if line.last() == Some(&b'\r') {
                    line.pop();
                }
                return Ok(Some(line));
            }
            if self.buffer.len() > LINE {
                // Not a header; its last bytes may begin one.
                self.buffer.drain(..self.buffer.len() - LINE / 2);
            }
            seen = self.buffer.len();
            if !self.fill(READ).await? {
                return Ok(None);
            }
        }
    }

    /// A body of so many bytes, or less when a header follows before they are complete: then the body was cut off.
    async fn body(&mut self, length: usize) -> io::Result<Option<Frame>> {
        let mut seen = 0;
        loop {
            let available = self.buffer.len().min(length);
            // JSON has no line break within a string, so a line that ends in a header is not part of it.
            while let Some(end) = memchr(b'\n', &self.buffer[seen..available]) {
                let line_start = memrchr(b'\n', &self.buffer[..seen + end]).map_or(0, |n| n + 1);
                let line = self.buffer[line_start..seen + end].trim_ascii_end();
                if let Some((start, _)) = length_at_end(line) {
                    self.buffer.drain(..line_start + start);
                    return Ok(Some(Frame::Broken(CUT_OFF)));
                }
                seen += end + 1;
            }
            // A body is often one line: what has no line break is not searched again.
            seen = available;
            if available == length {
                let missing = header_start(&self.buffer[..length]);
                if missing > 0 {
                    self.buffer.drain(..length - missing);
                    return Ok(Some(Frame::Broken(CUT_OFF)));
                }
                let rest = self.buffer.split_off(length);
                return Ok(Some(Frame::Body(std::mem::replace(&mut self.buffer, rest))));
            }
            if !self.fill((length - available).max(READ)).await? {
                return Ok(None);
            }
        }
    }

    /// Reads more; false at the end of the input.
    async fn fill(&mut self, wanted: usize) -> io::Result<bool> {
        // A length that was only announced reserves no memory.
        self.buffer.reserve(wanted.min(READ.max(self.buffer.len())));
        Ok(self.input.read_buf(&mut self.buffer).await? > 0)
    }
}

enum Header {
    Blank,
    Length(usize),
    /// One that does not matter, such as `Content-Type`.
    Other,
    Invalid,
}

fn header(line: &[u8]) -> Header {
    let line = line.trim_ascii();
    if line.is_empty() {
        return Header::Blank;
    }
    // Also where it follows the rest of a body that was longer than announced.
    if let Some((_, length)) = length_at_end(line) {
        return Header::Length(length);
    }
    let name = line.split(|b| *b == b':').next().unwrap_or_default();
    let is_name = |b: &u8| b.is_ascii_alphanumeric() || *b == b'-';
    let is_header = name.len() < line.len() && !name.is_empty() && name.iter().all(is_name);
    // A body whose length cannot be read cannot be skipped.
    if is_header && !name.eq_ignore_ascii_case(b"content-length") { Header::Other } else { Header::Invalid }
}

/// Where `Content-Length: 12` begins at the end of a line, and its value.
fn length_at_end(line: &[u8]) -> Option<(usize, usize)> {
    const NAME: &[u8] = b"content-length";
    let digits = line.iter().rev().take_while(|b| b.is_ascii_digit()).count();
    let (before, value) = line.split_at(line.len() - digits);
    let before = before.trim_ascii_end().strip_suffix(b":")?.trim_ascii_end();
    let start = before.len().checked_sub(NAME.len())?;
    let value = std::str::from_utf8(value).ok()?.parse().ok()?;
    before[start..].eq_ignore_ascii_case(NAME).then_some((start, value))
}

/// How many bytes at the end of a body begin the next header, if the body does not end as JSON does.
fn header_start(body: &[u8]) -> usize {
    const HEADER: &[u8] = b"content-length: ";
    if matches!(body.trim_ascii_end().last(), None | Some(b'}' | b']')) {
        return 0;
    }
    let begins_header = |end: &[u8]| {
        let end = end.strip_suffix(b"\r").unwrap_or(end);
        let known = end.len().min(HEADER.len());
        end[..known].eq_ignore_ascii_case(&HEADER[..known]) && end[known..].iter().all(u8::is_ascii_digit)
    };
    let longest = (HEADER.len() + 20).min(body.len());
    let begins_header = |size: &usize| begins_header(&body[body.len() - size..]);
    (1..=longest).rev().find(begins_header).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Everything that is read from an input that comes in pieces of a size.
    fn read(input: &[u8], piece: usize) -> Vec<String> {
        let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
        runtime.block_on(async {
            let (mut to, from) = tokio::io::duplex(piece);
            let write = async {
                tokio::io::AsyncWriteExt::write_all(&mut to, input).await.expect("it is read");
                drop(to);
            };
            let read = async {
                let mut frames = Frames::new(from);
                let mut found = Vec::new();
                while let Some(frame) = frames.next().await.expect("readable") {
                    found.push(match frame {
                        Frame::Body(body) => String::from_utf8_lossy(&body).into_owned(),
                        Frame::Broken(reason) => format!("broken: {reason}"),
                    });
                }
                found
            };
            tokio::join!(write, read).1
        })
    }

    #[test]
    fn headers_are_read_as_clients_write_them() {
        for piece in [1, 7, 4096] {
            let input = b"Content-Length: 2\r\n\r\n{}content-length:3\n\n{ }\r\n\r\nContent-Type: application/vscode-jsonrpc; charset=utf-8\r\nCONTENT-LENGTH : 2\r\n\r\n[]Content-Length: 0\r\n\r\n";
            assert_eq!(read(input, piece), ["{}", "{ }", "[]", ""], "{piece}");
        }
    }

    #[test]
    fn the_next_frame_is_found_after_broken_ones() {
        let good = "Content-Length: 2\r\n\r\n{}";
        for piece in [1, 7, 4096] {
            let after = |broken: &str| read(format!("{broken}{good}").as_bytes(), piece);
            let cut_off = "broken: the message ends before its `Content-Length`";
            assert_eq!(after("Content-Length: 40\r\n\r\n{\"a\":"), [cut_off, "{}"]);
            assert_eq!(after("Content-Length: 4000\r\n\r\n{\n\"a\":"), [cut_off, "{}"]);
            for missing in 1..22 {
                let broken = format!("Content-Length: {}\r\n\r\n{{\"a\":", 5 + missing);
                assert_eq!(after(&broken), [cut_off, "{}"], "{missing}");
            }
            assert_eq!(after("Content-Length: 3\r\n\r\n{\"a\":1}"), ["{\"a", "{}"]);
            assert_eq!(after("Content-Type: x\r\n\r\n"), ["broken: missing `Content-Length` header", "{}"]);
            assert_eq!(after("Content-Length: x\r\n\r\n"), ["broken: expected a header", "{}"]);
            assert_eq!(after("noise\r\n"), ["broken: expected a header", "{}"]);
            let large = after("Content-Length: 99999999999\r\n\r\n");
            assert_eq!(large, ["broken: the message is larger than 3 GiB", "{}"]);
            assert_eq!(after(&"x".repeat(3 * LINE)), ["{}"]);
        }
    }

    #[test]
    fn line_breaks_in_a_body_are_part_of_it() {
        let body = "{\r\n  \"content-length\": 5\n,\"x\": \"content-length: 5\"\r\n}";
        let input = format!("Content-Length: {}\r\n\r\n{body}", body.len());
        assert_eq!(read(input.as_bytes(), 64), [body]);
    }
}
