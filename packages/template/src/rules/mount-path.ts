const RESERVED = ['/proc', '/sys', '/dev'];

/**
 * The path at which something is mounted in a container, brought to one form (`/data/` and `/x/../data` are `/data`);
 * or null: not absolute, the root, of the system's own, or with characters that mounting cannot carry.
 */
export function cleanMountPath(written: string): string | null {
  const path = written.trim();
  if (!path.startsWith('/') || /[:,\0]/.test(path)) return null;
  const clean = cleaned(path);
  if (clean === '/' || RESERVED.some((reserved) => isWithin(clean, reserved))) return null;
  return clean;
}

/** Whether a clean path is another one or lies below it. */
export function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}

function cleaned(path: string): string {
  const parts: string[] = [];
  for (const part of path.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return `/${parts.join('/')}`;
}
