/** Loads JavaScript files (chunks) of the built dashboard. The Vite build wraps each `import()` in `loadFiles`. */

/** Paths of JavaScript files that were downloaded completely. */
const fetched = new Set<string>();

/**
 * Downloads a JavaScript chunk and the files that it imports, then imports the chunk.
 * @throws TypeError if the network fails; Error if a file is missing
 */
export async function loadFiles<T>(load: () => Promise<T>, files: readonly string[] = []): Promise<T> {
  /*
   * Browsers never repeat a failed `import()` before a page reload. So first download the files into the HTTP cache
   * with `fetch`, which can be repeated.
   */
  await Promise.all(files.filter((file) => !fetched.has(file)).map(fetchWhole));
  return load();
}

async function fetchWhole(file: string): Promise<void> {
  const response = await fetch(`/${file}`);
  if (!response.ok) throw new Error(`load ${file}: ${response.status}`);
  await response.arrayBuffer();
  fetched.add(file);
}
