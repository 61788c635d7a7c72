/** Types of WebCrypto, which Node declares under another name than browsers. */
type CryptoKey = import("node:crypto").webcrypto.CryptoKey;
type SubtleCrypto = import("node:crypto").webcrypto.SubtleCrypto;
