const RESERVED = ['/proc', '/sys', '/dev'];

/**
 * Normalizes a mount path: `/x/../data/` becomes `/data`. Returns `null` for a relative path, the root, a system path,
 * or a path with a character that Docker forbids.
 */
export function cleanMountPath(written: string): string | null {
  const path = written.trim();
  if (!path.startsWith('/') || /[:,\0]/.test(path)) return null;
  const clean = cleaned(path);
  if (clean === '/' || RESERVED.some((reserved) => isWithin(clean, reserved))) return null;
  return clean;
}

/** Returns whether a normalized mount path is `folder` or inside `folder`. */
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
