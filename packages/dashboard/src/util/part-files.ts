/**
 * How the built dashboard loads a part: the build puts {@link loadFiles} around each `import()` (vite.config.ts).
 *
 * A browser that could not load a module says so for ever: it never asks for that address again until the page is
 * loaded anew. What a changing network may break off is therefore fetched first, which can be repeated, and imported
 * from the browser's cache, where these files stay.
 */

/** What has been fetched whole. */
const fetched = new Set<string>();

/**
 * @param files the part's own file and those that it imports, as addresses below the dashboard's
 * @throws TypeError when the network breaks one off, Error when the instance has no such file
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
