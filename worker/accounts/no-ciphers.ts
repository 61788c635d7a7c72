/**
 * Stands in for the ciphers in which better-auth keeps the tokens of social providers, in the Worker (wrangler.toml):
 * there are no such providers. Passwords, cookies and mailed tokens use none of these.
 */
function missing(): never {
  throw new Error("ciphers are left out");
}

export {
  missing as bytesToHex,
  missing as hexToBytes,
  missing as managedNonce,
  missing as utf8ToBytes,
  missing as xchacha20poly1305,
};
