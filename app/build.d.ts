declare module "#build/release.js" {
  const release: {
    /** Twelve hexadecimal digits. */
    id: string;
    /** JSON with the hashes of the scripts that the page of a sealed link may load. */
    importMap: string;
  };
  export default release;
}
