/**
 * Loads a part of the built dashboard. The build puts {@link loadFiles} around each `import()` (vite.config.ts).
 *
 * A browser never requests a module again after the module failed to load, until the page is reloaded. The files are
 * therefore fetched first, which can be repeated, and then imported from the browser's cache.
 */

/** Files that have been fetched completely. */
const fetched = new Set<string>();

/**
 * Fetches the files of a part and then loads the part.
 * @param files the part's own file and the files that it imports, as paths on the dashboard's server
 * @throws TypeError if the network fails, Error if the instance has no such file
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
