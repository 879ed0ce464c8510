/** Loads JavaScript files (chunks) of the built dashboard. The Vite build wraps each `import()` in `loadFiles`. */

/** Completed and running downloads. The key is the path of the JavaScript file. */
const downloads = new Map<string, Promise<void>>();

/** Path of the JavaScript file that contains this module. The page has already loaded this file. */
const ENTRY = new URL(import.meta.url).pathname.slice(1);

/**
 * Downloads a JavaScript chunk with the files that the chunk imports, and then imports the chunk. The router loads the
 * module of a page several times, so calls for the same file share one download.
 * @throws TypeError if the network fails; Error if a file is missing
 */
export async function loadFiles<T>(load: () => Promise<T>, files: readonly string[] = []): Promise<T> {
  /*
   * Browsers do not repeat a failed `import()` before a page reload. Therefore, first download the files into the HTTP
   * cache with `fetch`, which can be repeated.
   */
  await Promise.all(files.filter((file) => file !== ENTRY).map(download));
  return load();
}

function download(file: string): Promise<void> {
  const known = downloads.get(file);
  if (known !== undefined) return known;
  const started = fetchWhole(file).catch((error: unknown) => {
    downloads.delete(file);
    throw error;
  });
  downloads.set(file, started);
  return started;
}

async function fetchWhole(file: string): Promise<void> {
  const response = await fetch(`/${file}`);
  if (!response.ok) throw new Error(`load ${file}: ${response.status}`);
  await response.arrayBuffer();
}
