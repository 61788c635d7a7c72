declare module "#build/release.js" {
  const release: {
    /** Twelve hexadecimal digits. */
    id: string;
    /** JSON: the hashes of the scripts that the page of an encrypted link may load. */
    importMap: string;
  };
  export default release;
}
