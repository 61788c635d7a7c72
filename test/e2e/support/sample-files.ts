import { crc32, deflateSync } from "node:zlib";
import type { Page } from "@playwright/test";

type Bytes = Uint8Array<ArrayBuffer>;

function concat(...pieces: Uint8Array[]): Bytes {
  const bytes = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let offset = 0;
  for (const piece of pieces) {
    bytes.set(piece, offset);
    offset += piece.length;
  }
  return bytes;
}

function ascii(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

/** 32-bit big-endian integers. */
function bigEndian(...values: number[]): Uint8Array {
  const view = new DataView(new ArrayBuffer(values.length * 4));
  values.forEach((value, index) => {
    view.setUint32(index * 4, value);
  });
  return new Uint8Array(view.buffer);
}

/** A red 8-bit RGB image (PNG specification, third edition). */
export function pngFile(width: number, height: number): Bytes {
  const row = new Uint8Array(1 + width * 3).fill(40);
  for (let column = 0; column < width; column += 1) row[1 + column * 3] = 200;
  // Filter type 0 at the start of each row.
  row[0] = 0;
  const pixels = deflateSync(concat(...Array.from({ length: height }, () => row)));
  return concat(
    new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    pngChunk("IHDR", concat(bigEndian(width, height), new Uint8Array([8, 2, 0, 0, 0]))),
    pngChunk("IDAT", pixels),
    pngChunk("IEND", new Uint8Array()),
  );
}

function pngChunk(name: string, data: Uint8Array): Uint8Array {
  const nameAndData = concat(ascii(name), data);
  return concat(bigEndian(data.length), nameAndData, bigEndian(crc32(nameAndData)));
}

/** A quiet sawtooth wave: 16 bits, 44,100 Hz, mono. */
export function wavFile(seconds: number): Bytes {
  const rate = 44_100;
  const samples = Int16Array.from({ length: seconds * rate }, (_, index) => (index % 100) * 20 - 1000);
  const format = new DataView(new ArrayBuffer(16));
  format.setUint16(0, 1, true);
  format.setUint16(2, 1, true);
  format.setUint32(4, rate, true);
  format.setUint32(8, rate * 2, true);
  format.setUint16(12, 2, true);
  format.setUint16(14, 16, true);
  return concat(
    ascii("RIFF"),
    littleEndian(36 + samples.byteLength),
    ascii("WAVEfmt "),
    littleEndian(16),
    new Uint8Array(format.buffer),
    ascii("data"),
    littleEndian(samples.byteLength),
    new Uint8Array(samples.buffer),
  );
}

function littleEndian(value: number): Uint8Array {
  return bigEndian(value).reverse();
}

/** Object number of the first page. */
const FIRST_PAGE = 8;

/**
 * A PDF of A4 pages. Each has its number in Helvetica and a Chinese greeting in a font that is not embedded. A
 * script requests `/ran` when the PDF is opened.
 */
export function pdfFile(pages: number): Bytes {
  const numbers = Array.from({ length: pages }, (_, index) => index);
  const kids = numbers.map((index) => `${FIRST_PAGE + 2 * index} 0 R`).join(" ");
  const objects = [
    "<< /Type /Catalog /Pages 2 0 R /OpenAction 4 0 R >>",
    `<< /Type /Pages /Count ${pages} /Kids [${kids}] >>`,
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    "<< /S /JavaScript /JS (fetch('/ran')) >>",
    "<< /Type /Font /Subtype /Type0 /BaseFont /STSong-Light /Encoding /UniGB-UCS2-H /DescendantFonts [6 0 R] >>",
    "<< /Type /Font /Subtype /CIDFontType0 /BaseFont /STSong-Light /FontDescriptor 7 0 R " +
      "/CIDSystemInfo << /Registry (Adobe) /Ordering (GB1) /Supplement 2 >> >>",
    "<< /Type /FontDescriptor /FontName /STSong-Light /Flags 6 /FontBBox [0 -200 1000 900] /ItalicAngle 0 " +
      "/Ascent 880 /Descent -120 /CapHeight 880 /StemV 93 >>",
    ...numbers.flatMap((index) => {
      const text = `BT /F1 48 Tf 72 700 Td (Page ${index + 1}) Tj /F2 48 Tf 0 -100 Td <4f60597d> Tj ET`;
      const resources = "/Resources << /Font << /F1 3 0 R /F2 5 0 R >> >>";
      return [
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] ${resources} /Contents ${FIRST_PAGE + 1 + 2 * index} 0 R >>`,
        `<< /Length ${text.length} >>\nstream\n${text}\nendstream`,
      ];
    }),
  ];
  let body = "%PDF-1.4\n";
  const offsets = objects.map((object, index) => {
    const offset = body.length;
    body += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return offset;
  });
  const rows = offsets.map((offset) => `${String(offset).padStart(10, "0")} 00000 n \n`).join("");
  const trailer = `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${body.length}\n%%EOF`;
  return concat(ascii(`${body}xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${rows}${trailer}`));
}

/** 25 frames of a moving square, recorded by the browser as WebM. */
export function webmFile(page: Page): Promise<Bytes> {
  return record(page, "video/webm");
}

/** The same as an MP4 (ISO/IEC 14496-12) of so many bytes, which has its index before or behind most of them. */
export async function mp4File(page: Page, sizeBytes: number, index: "first" | "last"): Promise<Bytes> {
  const film = await record(page, "video/mp4;codecs=vp9");
  const padding = new Uint8Array(sizeBytes - film.length);
  padding.set(concat(bigEndian(padding.length), ascii(index === "first" ? "free" : "mdat")));
  if (index === "first") return concat(film, padding);
  const start = new DataView(film.buffer).getUint32(0);
  return concat(film.subarray(0, start), padding, film.subarray(start));
}

async function record(page: Page, mimeType: string): Promise<Bytes> {
  const recording = await page.evaluate(async (type) => {
    const canvas = document.createElement("canvas");
    canvas.width = 160;
    canvas.height = 120;
    const context = canvas.getContext("2d");
    const recorder = new MediaRecorder(canvas.captureStream(25), { mimeType: type });
    const pieces: Blob[] = [];
    recorder.ondataavailable = ({ data }) => pieces.push(data);
    recorder.start();
    await new Promise<void>((resolve) => {
      let frames = 0;
      const drawing = setInterval(() => {
        frames += 1;
        context?.fillRect(frames, frames, 40, 40);
        if (frames < 25) return;
        clearInterval(drawing);
        resolve();
      }, 40);
    });
    recorder.stop();
    await new Promise((resolve) => {
      recorder.onstop = resolve;
    });
    return [...new Uint8Array(await new Blob(pieces).arrayBuffer())];
  }, mimeType);
  return new Uint8Array(recording);
}
