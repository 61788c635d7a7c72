import { describe, expect, it } from "vitest";
import { decodeText, ENCODINGS, findEncoding, type Encoding } from "#domain/decode-text.ts";

const bytes = (...values: number[]) => new Uint8Array(values);
const utf8 = (text: string) => new TextEncoder().encode(text);

/** Every character of an encoding of one or two bytes, and its bytes. */
function tableOf(encoding: Encoding): Map<string, number[]> {
  const decoder = new TextDecoder(encoding);
  const table = new Map<string, number[]>();
  const add = (...sequence: number[]) => {
    const text = decoder.decode(bytes(...sequence));
    if (Array.from(text).length === 1 && text !== "\ufffd" && !table.has(text)) table.set(text, sequence);
  };
  for (let first = 0; first < 256; first += 1) add(first);
  for (let first = 0x81; first < 0xff; first += 1)
    for (let second = 0x40; second < 0xff; second += 1) add(first, second);
  return table;
}

const tables = new Map<Encoding, Map<string, number[]>>();

function encode(text: string, encoding: Encoding): Uint8Array {
  const table = tables.get(encoding) ?? tableOf(encoding);
  tables.set(encoding, table);
  return bytes(
    ...Array.from(text).flatMap((character) => {
      const sequence = table.get(character);
      if (!sequence) throw new Error(`${encoding} has no ${character}`);
      return sequence;
    }),
  );
}

const read = (encoded: Uint8Array, declared: string | null = null) => {
  const encoding = findEncoding(encoded, declared);
  return encoding === null ? null : [encoding, decodeText(encoded, encoding)];
};

/** Short ones, as file lists, tables and notes have them. */
const TEXTS: [Encoding, string][] = [
  ["windows-1252", "Zürich, Grüße, Straße – „so“"],
  ["windows-1252", "naïve café, déjà vu"],
  ["windows-1252", "Name;Ort\nJörg;Köln\n"],
  ["windows-1252", "El niño comió. ¿Qué?"],
  ["windows-1252", "Price: 5 €"],
  ["windows-1252", "© 2020"],
  ["windows-1252", "GRÖSSE ÄNDERN"],
  ["windows-1252", "Ærø, Ålesund, smørrebrød"],
  ["windows-1250", "Příliš žluťoučký kůň úpěl ďábelské ódy"],
  ["windows-1250", "Zażółć gęślą jaźń"],
  ["windows-1254", "Türkçe metin dosyası, şeker, ağaç, ışık"],
  ["windows-1251", "Привет, мир. Это простой текстовый файл."],
  ["windows-1251", "Имя;Возраст\nИван;25\n"],
  ["windows-1251", "ПРОТОКОЛ СОБРАНИЯ"],
  ["windows-1251", "Привіт, світе. Це їжак."],
  ["koi8-r", "Привет, мир. Это простой текстовый файл."],
  ["koi8-r", "Имя;Возраст\nИван;25\n"],
  ["koi8-r", "ПРОТОКОЛ СОБРАНИЯ"],
  ["ibm866", "Привет, мир. Это простой текстовый файл."],
  ["windows-1253", "Καλημέρα κόσμε. Αυτό είναι ένα απλό κείμενο."],
  ["windows-1255", "שלום עולם. זהו קובץ טקסט פשוט."],
  ["windows-1256", "مرحبا بالعالم. هذا ملف نصي بسيط."],
  ["gbk", "你好，世界。这是一个简单的文本文件。"],
  ["gbk", "姓名,年龄,城市\n张三,25,北京\n李四,30,上海\n"],
  ["gbk", "会议记录\n"],
  ["big5", "你好，世界。這是一個簡單的文字檔案。"],
  ["big5", "姓名,年齡\n王小明,25\n"],
  ["shift_jis", "こんにちは、世界。これは簡単なテキストファイルです。"],
  ["shift_jis", "名前,年齢\n山田太郎,25\n鈴木花子,30\n"],
  ["shift_jis", "会議議事録\n"],
  ["euc-jp", "こんにちは、世界。これは簡単なテキストファイルです。"],
  ["euc-jp", "名前,年齢\n山田太郎,25\n"],
  ["euc-kr", "안녕하세요 세계. 이것은 간단한 텍스트 파일입니다."],
  ["euc-kr", "이름,나이\n김철수,25\n"],
];

describe("the encoding of a text", () => {
  it.each([
    ["UTF-8", utf8("Zürich 🦟 <script>"), ["utf-8", "Zürich 🦟 <script>"]],
    ["UTF-8 with a byte order mark", bytes(0xef, 0xbb, 0xbf, 0x61), ["utf-8", "a"]],
    ["UTF-8 cut within a character", utf8("aé").subarray(0, 2), ["utf-8", "a"]],
    ["UTF-16, little-endian", bytes(0xff, 0xfe, 0x61, 0x00, 0xfc, 0x00), ["utf-16le", "aü"]],
    ["UTF-16, big-endian", bytes(0xfe, 0xff, 0x00, 0x61, 0x00, 0xfc), ["utf-16be", "aü"]],
    ["ISO-2022-JP", bytes(0x1b, 0x24, 0x42, 0x24, 0x22, 0x1b, 0x28, 0x42), ["iso-2022-jp", "あ"]],
    ["ASCII", utf8("plain"), ["utf-8", "plain"]],
    ["nothing", bytes(), ["utf-8", ""]],
  ])("is seen: %s", (_what, encoded, expected) => {
    expect(read(encoded)).toEqual(expected);
  });

  it("is guessed [DL-15]", () => {
    for (const [encoding, text] of TEXTS) expect(read(encode(text, encoding))).toEqual([encoding, text]);
  });

  it("is guessed where the text begins with ASCII, or is cut within a character", () => {
    const plain = "a,b,c\n".repeat(5000);
    for (const [encoding, text] of TEXTS)
      expect(read(encode(plain + text, encoding))).toEqual([encoding, plain + text]);
    const cut = encode("こんにちは、世界", "shift_jis").subarray(0, -1);
    expect(read(cut)).toEqual(["shift_jis", "こんにちは、世"]);
  });

  it("is the declared one, by each of its names [DL-15]", () => {
    for (const [encoding, text] of TEXTS) expect(read(encode(text, encoding), encoding)).toEqual([encoding, text]);
    expect(read(encode("Я", "koi8-r"), "KOI8-R")).toEqual(["koi8-r", "Я"]);
    expect(read(encode("一", "gbk"), "gb2312")).toEqual(["gbk", "一"]);
    expect(read(encode("б", "iso-8859-5"), "iso-8859-5")).toEqual(["iso-8859-5", "б"]);
    expect(read(encode("ü", "windows-1252"), "us-ascii")).toEqual(["windows-1252", "ü"]);
  });

  it("is guessed where the declared one is unknown or contradicted", () => {
    const text = "Привет, мир";
    for (const declared of ["utf-8", "utf-7", "no-such", ""]) {
      expect(read(encode(text, "koi8-r"), declared)).toEqual(["koi8-r", text]);
    }
  });

  it("of binary data is none, whatever was declared", () => {
    expect(read(bytes(0x61, 0x00, 0x62))).toBeNull();
    expect(read(bytes(0x61, 0x00, 0x62), "utf-8")).toBeNull();
  });

  it("can be any of the list, without an error", () => {
    const all = bytes(...Array.from({ length: 255 }, (_, value) => value + 1));
    for (const [encoding] of ENCODINGS) expect(decodeText(all, encoding)).not.toBe("");
  });
});
