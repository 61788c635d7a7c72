/** Values that are what a field asks for, and that programs stumble over all the same. */

/** Media types: with parameters known and unknown, and what is none. */
export const STRANGE_TYPES = [
  ...["text/html; charset=utf-7", "text/html; charset=utf-16", "text/html; charset=nonsense", "text/html;charset="],
  ...['text/html; charset="utf-8"', "text/html; a=b; charset=utf-8; c=d", "TEXT/HTML; CHARSET=UTF-7", "text/html;;;"],
  ...[
    "image/svg+xml; charset=utf-7",
    "multipart/form-data",
    "multipart/mixed; boundary=",
    "text/plain",
    "message/rfc822",
  ],
  ...["text", "text/", "/html", "text/pl ain", "text/html, text/plain", "*/*", "text/html\r\nx: y", "téxt/html", ""],
];

/** Names: folders, devices, other directions, invisible characters, and too long ones. */
export const STRANGE_NAMES = [
  ...[".", "..", "...", " . ", "a.", "a.txt. .", " a.txt ", "CON", "nul.txt", "COM1.tar.gz", "lpt9", "CONIN$"],
  ...["a\u202egnp.exe", "\u2066a\u2069.txt", "\u200fa.txt", "\u061ca.txt", "a\u0000.txt", "a\u0085.txt", "a\u2028.txt"],
  ...["a/b.txt", "a\\b.txt", "../../etc/passwd", "C:\\a.txt", "．．", "…", "ＣＯＮ", "\u0301", "\ud83d.txt", "💥.txt"],
  ...['a".txt', "a%.txt", "a;b=c.txt", "a\r\nb.txt", "n".repeat(255), "n".repeat(256), "é".repeat(255), "a.__proto__"],
];

/** Addresses: some that a URL parser rejects, some that lead elsewhere. */
export const STRANGE_ADDRESSES = [
  ...["//[", "//[::1", "//:", "//a b", "//%", "//a:99999/", "http://", "http://[", "https://:0", "https://a:b:c/"],
  ...["//evil.example", "/\\evil.example", "/.//evil.example", "/x/..//evil.example", "/.\\/evil.example", "\\\\evil"],
  ...["https://evil.example/", "javascript:alert(1)", "data:text/html,a", "/%2f/evil.example", "/%00", "/\u202e", "/"],
  ...["?", "#", "", "/dashboard?a=%ff", "/login?returnTo=%2Flogin"],
];
