import { KIB } from "./units.ts";

/** Text encodings of the WHATWG Encoding standard that a reader can choose, each with the script that it serves. */
export const ENCODINGS = [
  ["utf-8", null],
  ["utf-16le", null],
  ["utf-16be", null],
  ["windows-1252", "Latn"],
  ["windows-1250", "Latn"],
  ["windows-1254", "Latn"],
  ["windows-1257", "Latn"],
  ["windows-1258", "Latn"],
  ["iso-8859-2", "Latn"],
  ["iso-8859-15", "Latn"],
  ["macintosh", "Latn"],
  ["windows-1251", "Cyrl"],
  ["koi8-r", "Cyrl"],
  ["koi8-u", "Cyrl"],
  ["iso-8859-5", "Cyrl"],
  ["ibm866", "Cyrl"],
  ["windows-1253", "Grek"],
  ["iso-8859-7", "Grek"],
  ["windows-1255", "Hebr"],
  ["windows-1256", "Arab"],
  ["windows-874", "Thai"],
  ["gbk", "Hans"],
  ["gb18030", "Hans"],
  ["big5", "Hant"],
  ["shift_jis", "Jpan"],
  ["euc-jp", "Jpan"],
  ["iso-2022-jp", "Jpan"],
  ["euc-kr", "Kore"],
] as const;

export type Encoding = (typeof ENCODINGS)[number][0];

const KANA = "ぁ-ゖァ-ヺー";
const JAPANESE =
  "日本人年月大一中国会時分者社行自事業東方名前上下生学校田山川子木村間出入力見内外高小新場合地用手数部金的主対今回様後議録請求書京都道府県区市町番号電話住所氏郵便料品代円税計式株太郎鈴佐藤藤花美由理明確認定作成変更追加削除使同次必要情報件表示管物語文字化漢簡単開発関係全体通知動画像音楽写真資料試験説目立教室先当院病医者車駅店食飲水火土曜午";
const SIMPLIFIED =
  "的一是不了在人有我他这个们中来上大为和国地到以说时要就出会可也你对生能而子那得于着下自之年过发后作里用道行所然家种事成方多经么去法学如都同现当没动面起看定天分还进好小部其些主样理心本前开但因只从想实日军者意无力它与长把机十民第公此已工使情明性知全三又关点正业外将两高间由问很最重并物手应战向头文体政美相见被利什二等产或新己制身果加西斯月话合回特代内信表化老给世位次度门任常先海通教儿原东声提立及比员解水名真论处走义各入几口认条平系气题活尔更别打女变四神总何电数安少报才结反受目太量再感建务做接必场件计管期市直德资命山金指克许统保至队形社便空决治展马科司五基眼书非则听白却界达光放强即像难且权思王象完设色路记南品住告类求据程北边死张该交规万取拉格望觉术领共确传师观清今切院让识候带导争运笔录议城龄姓京李简单测试";
const TRADITIONAL =
  "的一是不了在人有我他這個們中來上大為和國地到以說時要就出會可也你對生能而子那得於著下自之年過發後作裡用道行所然家種事成方多經麼去法學如都同現當沒動面起看定天分還進好小部其些主樣理心本前開但因只從想實日軍者意無力它與長把機十民第公此已工使情明性知全三又關點正業外將兩高間由問很最重並物手應戰向頭文體政美相見被利什二等產或新己制身果加西斯月話合回特代內信表化老給世位次度門任常先海通教兒原東聲提立及比員解水名真論處走義各入幾口認條平系氣題活爾更別打女變四神總何電數安少報才結反受目太量再感建務做接必場件計管期市直德資命山金指克許統保至隊形社便空決治展馬科司五基眼書非則聽白卻界達光放強即像難且權思王象完設色路記南品住告類求據程北邊死張該交規萬取拉格望覺術領共確傳師觀清今切院讓識候帶導爭運筆錄議城齡姓京李簡單測試檔案灣";
const HANGUL =
  "이다는을의에가고하지한도를은어나로사그리기서아시대인해자정게보수있일부들라전과만장것상주여면구니없스제안말무와성우조오당원생동용적국히공문내거모실물연관소경진중방학선영때년신유요세계텍트파간단름김철민박최회록";

/**
 * The encodings that a guess compares, for languages that can be told apart by their characters. `frequent` and
 * `common` match letters in lower case. If two encodings fit equally well, the first one is taken.
 */
const GUESSED: readonly { encoding: Encoding; frequent: RegExp; common?: RegExp }[] = [
  { encoding: "windows-1252", frequent: /[äöüßéèêëàâçñóíáúïôûœæøå]/ },
  { encoding: "windows-1251", frequent: /[оеаинтсрвл]/, common: /[кмдпуяыьгзбчйіїє]/ },
  { encoding: "koi8-r", frequent: /[оеаинтсрвл]/, common: /[кмдпуяыьгзбчй]/ },
  { encoding: "ibm866", frequent: /[оеаинтсрвл]/, common: /[кмдпуяыьгзбчй]/ },
  { encoding: "windows-1250", frequent: /[ąćęłńóśźżěščřžýáíéůúťďňőűăşţâîôöüäß]/ },
  { encoding: "windows-1254", frequent: /[çğıöşüâî]/ },
  { encoding: "windows-1253", frequent: /[αοιετσνηυρς]/, common: /[πκλμγδθωάέήίόύώ]/ },
  { encoding: "windows-1255", frequent: /[יוהלארתמשבנ]/, common: /[גדזחטךכםןסעףפץצק]/ },
  { encoding: "windows-1256", frequent: /[اليمنوربتعةهسد]/, common: /[ثجحخذزشصضطظغفقكىأإئء]/ },
  { encoding: "gbk", frequent: new RegExp(`[${SIMPLIFIED}]`) },
  { encoding: "big5", frequent: new RegExp(`[${TRADITIONAL}]`) },
  { encoding: "shift_jis", frequent: new RegExp(`[${KANA}${JAPANESE}]`) },
  { encoding: "euc-jp", frequent: new RegExp(`[${KANA}${JAPANESE}]`) },
  { encoding: "euc-kr", frequent: new RegExp(`[${HANGUL}]`) },
];

/** The length of the text that is compared, from the first byte that is not ASCII. */
const COMPARED_BYTES = 4 * KIB;

/**
 * @param bytes may end within a character
 * @param declared the encoding that the sender named; ignored if it is unknown or the bytes contradict it
 * @returns null for binary data: text other than UTF-16 contains no zero byte
 */
export function findEncoding(bytes: Uint8Array, declared: string | null): Encoding | null {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return "utf-16le";
  if (first === 0xfe && second === 0xff) return "utf-16be";
  if (bytes.includes(0)) return null;
  const named = declared === null ? null : encodingNamed(declared);
  if (named !== null && tryToDecode(bytes, named) !== null) return named;
  // Escapes switch the character set of ISO-2022-JP (RFC 1468), which is ASCII otherwise.
  const escapes = ["\u001b$@", "\u001b$B"];
  const asLatin = decodeText(bytes, "windows-1252");
  if (escapes.some((escape) => asLatin.includes(escape))) return "iso-2022-jp";
  if (tryToDecode(bytes, "utf-8") !== null) return "utf-8";
  const start = bytes.findIndex((byte) => byte > 0x7f);
  return guessEncoding(bytes.subarray(Math.max(0, start - 1), start + COMPARED_BYTES));
}

/** Invalid bytes become U+FFFD. @param bytes may end within a character */
export function decodeText(bytes: Uint8Array, encoding: Encoding): string {
  return new TextDecoder(encoding).decode(bytes, { stream: true });
}

function encodingNamed(label: string): Encoding | null {
  try {
    const { encoding } = new TextDecoder(label);
    return ENCODINGS.find(([name]) => name === encoding)?.[0] ?? null;
  } catch {
    return null;
  }
}

function tryToDecode(bytes: Uint8Array, encoding: Encoding): string | null {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes, { stream: true });
  } catch {
    return null;
  }
}

/** @returns Windows-1252 if no other encoding fits better */
function guessEncoding(bytes: Uint8Array): Encoding {
  let best: { encoding: Encoding; score: number } = { encoding: "windows-1252", score: -Infinity };
  for (const { encoding, ...known } of GUESSED) {
    const text = tryToDecode(bytes, encoding);
    if (text === null) continue;
    const score = scoreOf(text, known);
    if (score > best.score) best = { encoding, score };
  }
  return best.encoding;
}

interface KnownCharacters {
  frequent: RegExp;
  common?: RegExp;
}

/** Scores how much a text looks like the language. A character of two bytes counts as much as two of one byte. */
function scoreOf(text: string, known: KnownCharacters): number {
  let score = 0;
  let before = "";
  for (const character of text) {
    if (character > "\x7f") score += (isWide(character) ? 2 : 1) * valueOf(character, before, known);
    if (character > "\x7f" || before > "\x7f") score -= oddity(before, character);
    before = character;
  }
  return score;
}

function isWide(character: string): boolean {
  return /[\u1100-\u11ff\u2e80-\uff60\uffe0-\uffff]/.test(character) || character > "\uffff";
}

const ALPHABETS = /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Hebrew}\p{Script=Arabic}]/u;

function valueOf(character: string, before: string, { frequent, common }: KnownCharacters): number {
  // Control characters, and characters that no standard assigns.
  if (/[\p{Cc}\p{Co}\p{Cn}]/u.test(character)) return -8;
  if (/[、。，；：！？「」『』（）《》・～]/.test(character)) return 2;
  if (/[\u00a0«»“”„’–—…•§°№€©¿¡ｦ-ﾟ]/.test(character)) return 0.5;
  if (!/\p{L}/u.test(character)) return -2;
  // A single letter of another alphabet is not a word. Accented Latin letters rarely stand side by side.
  if (ALPHABETS.test(character) ? !ALPHABETS.test(before) : isLatin(character) && before > "\x7f" && isLatin(before))
    return 0;
  const letter = character.toLowerCase();
  if (frequent.test(letter)) return 2;
  return common?.test(letter) ? 1 : 0;
}

function isLatin(character: string): boolean {
  return /\p{Script=Latin}/u.test(character);
}

/** Scores pairs that no word has: letters of two alphabets, or a capital after a small letter. */
function oddity(before: string, character: string): number {
  const isMixed = isLatin(before) ? ALPHABETS.test(character) : ALPHABETS.test(before) && isLatin(character);
  return (isMixed ? 3 : 0) + (/\p{Lu}/u.test(character) && /\p{Ll}/u.test(before) ? 4 : 0);
}
