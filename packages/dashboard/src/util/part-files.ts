/**
 * Loads JavaScript files (chunks) of the built dashboard. The Vite build wraps each `import()` in `loadFiles`.
 *
 * A browser does not repeat a failed `import()` until the page is reloaded. Therefore, `loadFiles` first downloads the
 * files with `fetch`, which can be repeated. Then `import()` finds the files in the HTTP cache.
 */

/** Paths of JavaScript files that were downloaded completely. */
const fetched = new Set<string>();

/**
 * Downloads the files of a JavaScript chunk, then imports the chunk.
 * @param files paths of the chunk and of the files that the chunk imports
 * @throws TypeError if the network fails
 * @throws Error if the server does not have a file
 */
export async function loadFiles<T>(load: () => Promise<T>, files: readonly string[] = []): Promise<T> {
  await Promise.all(files.filter((file) => !fetched.has(file)).map(fetchWhole));
  return load();
}

async function fetchWhole(file: string): Promise<void> {
  const response = await fetch(`/${file}`);
  if (!response.ok) throw new Error(`load ${file}: ${response.status}`);
  await response.arrayBuffer();
  fetched.add(file);
}
