/** @returns a function that runs another one soon: once for all calls of the same moment */
export function onceSoon(run: () => void): () => void {
  let isDue = false;
  return () => {
    if (isDue) return;
    isDue = true;
    queueMicrotask(() => {
      isDue = false;
      run();
    });
  };
}
